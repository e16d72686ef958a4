package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static social.feed.streams.sink.SinkSamples.changed;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.streams.event.EventContent;
import social.feed.streams.sink.KafkaTopic.Times;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.TestTable;

/** Events in a real broker of Kafka, which is killed, started again, and hangs. */
@LongRunning
class ITKafkaEvents {
  private static final int ENTITIES = 6;
  private static final int VERSIONS = 4;

  /** The events that are published before the broker is killed. */
  private static final int SOME = 5;

  /** What a busy machine adds. */
  private static final Duration SLACK = Duration.ofSeconds(20);

  /** So much faster than the clock of the queue do rests and delays pass. */
  private static final int FASTER = 20;

  private static KafkaBroker broker;

  private final TestTable table = TestTable.start();
  private final SinkQueues queues = new SinkQueues();
  private KafkaEvents kafka;

  @BeforeAll
  static void startBroker(@TempDir Path folder) {
    broker = KafkaBroker.start(folder);
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void create() {
    kafka = new KafkaEvents(KafkaTopic.at(broker.address(), Map.of()));
  }

  @AfterEach
  void stop() {
    kafka.close();
    queues.close();
    table.close();
  }

  @Test
  void event_isARecordWithKeyAndHeaders() {
    var event = changed("one", 1);

    kafka.publish(event);

    var record = only("account:one").getFirst();
    assertThat(record.value()).isEqualTo(EventJson.write(event));
    assertThat(header(record, "id")).isEqualTo(event.id());
    assertThat(header(record, "type")).isEqualTo("account.changed");
    assertThat(header(record, "version")).isEqualTo(event.version());
  }

  /**
   * Events that wait while the broker is down arrive later, in another order and partly twice. What
   * is planted is a publisher that does not wait for the broker.
   */
  @Test
  void brokerKilledMeanwhile_losesNothing_andTheHighestVersionIsTheLastState() {
    var events = history("killed");
    var carelessEvents = history("careless");
    var confirmed = new AtomicInteger();
    var failed = new AtomicInteger();
    var isKilled = new CountDownLatch(1);
    kafka = broker.impatientClient();
    Publisher counted =
        event -> {
          if (confirmed.get() >= SOME) {
            await(isKilled);
          }
          try {
            kafka.publish(event);
            confirmed.incrementAndGet();
          } catch (IllegalStateException e) {
            failed.incrementAndGet();
            throw e;
          }
        };
    var messages = new ArrayList<SinkMessage>();
    events.forEach(event -> messages.add(message(KafkaEvents.NAME, event)));
    carelessEvents.forEach(event -> messages.add(message("careless", event)));
    Collections.shuffle(messages, new Random(7));
    queues.queue.send(messages, Duration.ZERO);

    try (var _ =
        SinkLoop.start(queues.queue, consumer(counted, careless(counted)), queues.unpublished)) {
      Polling.until(() -> confirmed.get() >= SOME);
      broker.kill();
      isKilled.countDown();
      Polling.until(() -> failed.get() >= SOME);
      broker.start();
      Polling.until(() -> queues.waiting(queues.sinks) == 0);
    }

    var records = only("account:killed");
    assertThat(lost(events, records)).isEmpty();
    assertThat(lastStates(records, true)).isEqualTo(trueStates(events));
    assertThat(partitions(records)).allSatisfy((_, used) -> assertThat(used).hasSize(1));
    assertThat(lost(carelessEvents, only("account:careless"))).isNotEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What is planted: a consumer that believes the order of its partition. */
  @Test
  void consumerThatIgnoresVersions_isFound() {
    var events = history("reversed");

    events.reversed().forEach(kafka::publish);

    var records = only("account:reversed");
    assertThat(lastStates(records, true)).isEqualTo(trueStates(events));
    assertThat(lastStates(records, false)).isNotEqualTo(trueStates(events));
  }

  @Test
  void brokerThatHangs_failsInTime_andDelaysNoOtherSink() throws InterruptedException {
    kafka = broker.impatientClient();
    var good = new CountDownLatch(20);
    broker.hang();
    try (var _ =
        SinkLoop.start(queues.queue, consumer(kafka, _ -> good.countDown()), queues.unpublished)) {
      for (int i = 0; i < 20; i++) {
        queues.queue.send(List.of(message("kafka", changed("hanging", i))), Duration.ZERO);
        queues.queue.send(List.of(message("good", changed("hanging", i))), Duration.ZERO);
      }
      // Twenty calls that hang one after the other take a minute.
      assertThat(good.await(30, TimeUnit.SECONDS)).isTrue();

      var begin = System.nanoTime();
      assertThatIllegalStateException()
          .isThrownBy(() -> kafka.publish(changed("hanging", 99)))
          .withMessageContaining("Kafka did not confirm the event");
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isLessThan(KafkaBroker.SHORT.longest().plus(SLACK));

      broker.goOn();
      Polling.until(() -> ids(only("account:hanging")).size() >= 20);
    } finally {
      broker.goOn();
    }
  }

  /** A message that waited as long as it may, and then hangs, is not yet handed out again. */
  @Test
  void call_endsWhileTheQueueHidesTheMessage() {
    assertThat(KafkaEvents.LONGEST.plus(SinkLoop.LONGEST_WAIT)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void brokerThatIsNotThere_failsInTime() {
    try (var nowhere = new KafkaEvents(KafkaTopic.at("127.0.0.1:9", Map.of()))) {
      assertThatIllegalStateException().isThrownBy(() -> nowhere.publish(changed("nowhere", 1)));
    }
    try (var unknown = new KafkaEvents(KafkaTopic.at("broker.invalid:9092", Map.of()))) {
      assertThatIllegalStateException()
          .isThrownBy(() -> unknown.publish(changed("nowhere", 1)))
          .withMessageContaining("Kafka cannot be reached");
    }
  }

  @Test
  void topicThatDoesNotExist_failsInTime() {
    var elsewhere = KafkaTopic.at(broker.address() + "/elsewhere", Map.of());
    try (var other = new KafkaEvents(elsewhere)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> other.publish(changed("nowhere", 1)))
          .withMessageContaining("elsewhere");
    }
  }

  /** Each client that stayed would keep its thread, its connections and up to 4 MB. */
  @Test
  void clientThatIsGivenUp_ends() {
    var small = Map.of("client.id", "given-up", "max.request.size", "100");
    try (var other = new KafkaEvents(KafkaTopic.at(broker.address(), small))) {
      for (int i = 0; i < 3; i++) {
        int version = i;
        assertThatIllegalStateException()
            .isThrownBy(() -> other.publish(changed("large", version)))
            .withMessageContaining("RecordTooLargeException");
      }

      Polling.until(
          () -> Thread.getAllStackTraces().keySet().stream().noneMatch(ITKafkaEvents::isGivenUp));
    }
  }

  private static boolean isGivenUp(Thread thread) {
    return thread.getName().contains("given-up");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "broker", "broker:", "broker:9092/", "broker:9092/a b", "http://broker:9092"})
  void addressThatIsNone_isRefused(String address) {
    assertThatIllegalArgumentException().isThrownBy(() -> KafkaTopic.at(address, Map.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "acks=0",
        "bootstrap.servers=other:1",
        "compression.type=zstd",
        "delivery.timeout.ms=1",
        "acsk=all",
        "partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner",
        "partitioner.ignore.keys=true",
        "transactional.id=feed",
        "security.protocol=NONE"
      })
  void propertyThatIsNotAllowed_isRefused(String property) {
    var parts = property.split("=", -1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaTopic.at("broker:9092", Map.of(parts[0], parts[1])))
        .withMessageContaining(parts[0]);
  }

  @Test
  void address_hasBrokersAndTopic() {
    var named = KafkaTopic.at("a:1,b:2/own.topic", Map.of("security.protocol", "SSL"));
    assertThat(named.brokers()).isEqualTo("a:1,b:2");
    assertThat(named.name()).isEqualTo("own.topic");
    assertThat(named.all(Times.STANDARD))
        .containsEntry("security.protocol", "SSL")
        .containsEntry("acks", "all");
    assertThat(KafkaTopic.at("a:1", Map.of()).name()).isEqualTo(KafkaTopic.DEFAULT_NAME);
    var secret = Map.of("ssl.keystore.password", "secret");
    assertThat(KafkaTopic.at("a:1", secret)).asString().doesNotContain("secret");
  }

  private static Publisher careless(Publisher publisher) {
    return event -> {
      try {
        publisher.publish(event);
      } catch (IllegalStateException e) {
        // Taken for published.
      }
    };
  }

  private SinkConsumer consumer(Publisher publisher, Publisher good) {
    var fast = new FastClock(FASTER);
    return new SinkConsumer(
        sink -> Optional.of(sink.equals(KafkaEvents.NAME) ? publisher : good),
        _ -> List.of(),
        new EventContent(table.table(), table.clock()),
        fast.delaying(queues.queue),
        queues.unpublished,
        fast);
  }

  private static SinkMessage message(String sink, DomainEvent event) {
    return new SinkMessage(sink, 0, Instant.now(), event);
  }

  /** The changes of some accounts, the earlier ones first. */
  private static List<DomainEvent> history(String name) {
    return IntStream.rangeClosed(1, VERSIONS)
        .boxed()
        .flatMap(
            version -> IntStream.range(0, ENTITIES).mapToObj(i -> changed(name + "-" + i, version)))
        .toList();
  }

  private static List<ConsumerRecord<String, String>> only(String entity) {
    return broker.records().stream().filter(record -> record.key().startsWith(entity)).toList();
  }

  private static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static Set<String> ids(List<ConsumerRecord<String, String>> records) {
    return records.stream().map(record -> header(record, "id")).collect(Collectors.toSet());
  }

  private static List<String> lost(
      List<DomainEvent> events, List<ConsumerRecord<String, String>> records) {
    var arrived = ids(records);
    return events.stream().map(DomainEvent::id).filter(id -> !arrived.contains(id)).toList();
  }

  /** The version of each entity that a consumer ends with. */
  private static Map<String, String> lastStates(
      List<ConsumerRecord<String, String>> records, boolean keepsHighest) {
    var states = new TreeMap<String, String>();
    records.forEach(
        record ->
            states.merge(
                record.key(),
                header(record, "version"),
                (before, now) -> keepsHighest && before.compareTo(now) > 0 ? before : now));
    return states;
  }

  private static Map<String, String> trueStates(List<DomainEvent> events) {
    var states = new TreeMap<String, String>();
    events.forEach(event -> states.put(event.entity(), event.version()));
    return states;
  }

  private static Map<String, Set<Integer>> partitions(
      List<ConsumerRecord<String, String>> records) {
    return records.stream()
        .collect(
            Collectors.groupingBy(
                ConsumerRecord::key,
                Collectors.mapping(ConsumerRecord::partition, Collectors.toSet())));
  }
}
