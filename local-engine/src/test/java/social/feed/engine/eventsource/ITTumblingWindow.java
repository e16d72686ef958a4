package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.engine.eventsource.EventSourceFixture.TIMEOUT;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ITTumblingWindow {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final EventSourceFixture fixture = new EventSourceFixture();
  private final AtomicReference<Instant> now = new AtomicReference<>(NOON.plusSeconds(3));
  private final BlockingQueue<DynamodbTimeWindowEvent> events = new LinkedBlockingQueue<>();
  private final Checkpoints checkpoints = Checkpoints.inMemory();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void calls_ofOneWindow_carryStateShardAndWindow() throws Exception {
    fixture.put(1, 5);
    try (EventSource source = start(this::count)) {
      source.drain(TIMEOUT);
      List<DynamodbTimeWindowEvent> calls = taken(3);

      assertThat(calls)
          .extracting(DynamodbTimeWindowEvent::getState)
          .containsExactly(Map.of(), Map.of("n", "2"), Map.of("n", "4"));
      DynamodbTimeWindowEvent call = calls.getLast();
      assertThat(call.getShardId()).startsWith("shardId-");
      assertThat(call.getEventSourceArn()).isEqualTo(fixture.arn);
      assertThat(call.getWindow().getStart()).isEqualTo("2026-01-01T12:00:00Z");
      assertThat(call.getWindow().getEnd()).isEqualTo("2026-01-01T12:00:10Z");
      assertThat(call.getIsFinalInvokeForWindow()).isFalse();
      assertThat(call.getIsWindowTerminatedEarly()).isFalse();

      now.set(NOON.plusSeconds(10));
      DynamodbTimeWindowEvent last = taken(1).getFirst();
      assertThat(last.getIsFinalInvokeForWindow()).isTrue();
      assertThat(last.getIsWindowTerminatedEarly()).isFalse();
      assertThat(last.getState()).isEqualTo(Map.of("n", "5"));
      assertThat(last.getRecords()).isEmpty();

      fixture.put(6, 6);
      DynamodbTimeWindowEvent next = taken(1).getFirst();
      assertThat(next.getState()).isEmpty();
      assertThat(next.getWindow().getStart()).isEqualTo("2026-01-01T12:00:10Z");
    }
  }

  @Test
  void shardEnds_windowEndsAndTheChildStartsItsOwn() throws Exception {
    fixture.put(1, 2);
    try (EventSource source = start(this::count)) {
      source.drain(TIMEOUT);
      fixture.engine.rollShards();
      fixture.put(3, 3);
      source.drain(TIMEOUT);
    }
    List<DynamodbTimeWindowEvent> calls = taken(3);
    assertThat(calls)
        .extracting(DynamodbTimeWindowEvent::getIsFinalInvokeForWindow)
        .containsExactly(false, true, false);
    assertThat(calls.get(1).getShardId()).isEqualTo(calls.get(0).getShardId());
    assertThat(calls.get(2).getShardId()).isNotEqualTo(calls.get(0).getShardId());
    assertThat(calls.get(2).getState()).isEmpty();
  }

  @Test
  void restart_inTheWindow_keepsItsState() throws Exception {
    fixture.put(1, 2);
    try (EventSource source = start(this::count)) {
      source.drain(TIMEOUT);
    }
    fixture.put(3, 3);
    try (EventSource source = start(this::count)) {
      source.drain(TIMEOUT);
    }
    assertThat(taken(2).getLast().getState()).isEqualTo(Map.of("n", "2"));
  }

  @Test
  void response_withoutState_failsTheBatch() throws Exception {
    fixture.put(1, 1);
    try (EventSource source =
        start(event -> events.size() < 2 ? withoutState(event) : count(event))) {
      source.drain(TIMEOUT);
      assertThat(source.status().getFirst().failedInvocations()).isEqualTo(2);
      assertThat(source.status().getFirst().lastError().orElse("")).contains("lacks the state");
    }
    assertThat(taken(3)).allMatch(event -> event.getState().isEmpty());
  }

  @Test
  void state_overAMegabyte_endsTheWindowEarly() throws Exception {
    fixture.put(1, 1);
    try (EventSource source =
        start(
            event -> {
              events.add(event);
              return new TimeWindowEventResponse(Map.of("large", "x".repeat(1 << 20)), List.of());
            })) {
      source.drain(TIMEOUT);
    }
    DynamodbTimeWindowEvent last = taken(2).getLast();
    assertThat(last.getIsFinalInvokeForWindow()).isTrue();
    assertThat(last.getIsWindowTerminatedEarly()).isTrue();
  }

  private EventSource start(StreamFunction function) {
    EventSourceMapping mapping =
        EventSourceMapping.named("m").batchSize(2).tumblingWindow(Duration.ofSeconds(10)).build();
    return EventSource.start(
        fixture.streams,
        fixture.arn,
        checkpoints,
        EventSourceFixture.SETTINGS.withClock(now::get),
        List.of(new Subscription(mapping, function)));
  }

  private TimeWindowEventResponse count(DynamodbTimeWindowEvent event) {
    events.add(event);
    int before = Integer.parseInt(event.getState().getOrDefault("n", "0"));
    return new TimeWindowEventResponse(
        Map.of("n", Integer.toString(before + event.getRecords().size())), List.of());
  }

  private @Nullable TimeWindowEventResponse withoutState(DynamodbTimeWindowEvent event) {
    events.add(event);
    return null;
  }

  private List<DynamodbTimeWindowEvent> taken(int count) throws InterruptedException {
    List<DynamodbTimeWindowEvent> taken = new ArrayList<>();
    while (taken.size() < count) {
      DynamodbTimeWindowEvent event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).as("event %d", taken.size() + 1).isNotNull();
      taken.add(Objects.requireNonNull(event));
    }
    return taken;
  }
}
