package social.feed.engine.eventsource;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.StreamedTestTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** An engine in memory with one streamed table, and event sources that read it. */
final class EventSourceFixture implements AutoCloseable {

  static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** Short delays, for tests in which functions fail. */
  static final EventSourceSettings SETTINGS =
      new EventSourceSettings(
          Duration.ofMillis(2),
          Duration.ofMillis(50),
          new RetryDelay(Duration.ofMillis(1), Duration.ofMillis(5)),
          InstantSource.system(),
          new Random(7));

  final LocalDynamoDb engine = LocalDynamoDb.start();
  final DynamoDbClient client = engine.newClient();
  final DynamoDbStreamsClient streams = engine.newStreamsClient();
  final StreamedTestTable table = new StreamedTestTable(client);
  final String arn = table.create();

  EventSource start(Subscription... subscriptions) {
    return start(Checkpoints.inMemory(), subscriptions);
  }

  EventSource start(Checkpoints checkpoints, Subscription... subscriptions) {
    return EventSource.start(streams, arn, checkpoints, SETTINGS, Arrays.asList(subscriptions));
  }

  /**
   * Writes the items {@code from} to {@code to}. The sort keys are the numbers; there are three
   * partition keys.
   */
  void put(int from, int to) {
    IntStream.rangeClosed(from, to).forEach(i -> table.put("p" + i % 3, Integer.toString(i)));
  }

  static List<Integer> range(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  @Override
  public void close() {
    streams.close();
    client.close();
    engine.close();
  }
}
