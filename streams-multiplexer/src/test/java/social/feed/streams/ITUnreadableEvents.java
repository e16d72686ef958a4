package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.streams.event.EventContent;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.table.row.Post;

/** Events whose rows cannot be read when they are published. */
class ITUnreadableEvents {
  private static final String SINK = "sink";

  private final StreamHarness harness = StreamHarness.start();
  private final List<String> published = new ArrayList<>();
  private final List<SinkMessage> waiting = new ArrayList<>();
  private final List<Duration> delays = new ArrayList<>();
  private final List<String> dead = new ArrayList<>();
  private boolean isBroken;

  private final SinkConsumer consumer =
      new SinkConsumer(
          _ -> Optional.of(this::publish),
          _ -> List.of(SINK),
          new EventContent(harness.table.table(), harness.table.clock()),
          (messages, delay) -> {
            waiting.addAll(messages);
            delays.add(delay);
          },
          (_, reason) -> dead.add(reason),
          harness.table.clock());

  private void publish(DomainEvent event) {
    if (isBroken) {
      throw new IllegalStateException("The broker is down");
    }
    published.add(event.entity());
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private SinkMessage message(Post post) {
    var now = harness.table.clock().instant();
    return new SinkMessage(
        SINK,
        0,
        now,
        new DomainEvent(
            EventType.POST_CREATED,
            now,
            "post:" + post.postId(),
            "1",
            post.authorId(),
            new TreeMap<>(
                Map.of(EventType.POST_ID, post.postId(), EventType.AUTHOR_ID, post.authorId()))));
  }

  private void unreadable(Post post) {
    harness.unset(Post.key(post.postId()), Post.AUTHOR_ID);
  }

  /** It neither comes back without end nor keeps the sink from the events after it. */
  @Test
  void eventOfAnUnreadableRow_isTriedForADayAndADeadLetterThen() {
    var ann = harness.world.user("ann");
    var bad = ann.posts("unreadable");
    var good = ann.posts("good");
    unreadable(bad);

    consumer.handle(message(bad));
    consumer.handle(message(good));
    assertThat(published).containsExactly("post:" + good.postId());
    int tries = 1;
    while (!waiting.isEmpty()) {
      harness.table.clock().advance(delays.getLast());
      consumer.handle(waiting.removeLast());
      tries++;
    }

    assertThat(tries).isBetween(96, 110);
    assertThat(dead)
        .singleElement()
        .satisfies(
            reason ->
                assertThat(reason).contains("cannot be read", Post.key(bad.postId()).toString()));
    assertThat(published).hasSize(1);
  }

  @Test
  void eventWhoseRowIsRepaired_isPublished() {
    var ann = harness.world.user("ann");
    var bad = ann.posts("unreadable for an hour");
    var item = harness.table.table().get(Post.key(bad.postId())).orElseThrow();
    unreadable(bad);
    consumer.handle(message(bad));
    assertThat(published).isEmpty();

    harness.table.client().putItem(p -> p.tableName(harness.table.table().name()).item(item));
    harness.table.clock().advance(Duration.ofHours(1));
    consumer.handle(waiting.removeLast());

    assertThat(published).containsExactly("post:" + bad.postId());
    assertThat(dead).isEmpty();
  }

  /** A trial that calls nothing says nothing about the sink. */
  @Test
  void trialOfAnUnreadableEvent_isLeftToTheNextOne() {
    var ann = harness.world.user("ann");
    var bad = ann.posts("unreadable");
    var good = ann.posts("good");
    unreadable(bad);
    isBroken = true;
    consumer.handle(message(good));
    isBroken = false;
    harness.table.clock().advance(Duration.ofMinutes(1));

    consumer.handle(message(bad));
    consumer.handle(message(good));

    assertThat(published).containsExactly("post:" + good.postId());
  }
}
