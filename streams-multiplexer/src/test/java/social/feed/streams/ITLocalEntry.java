package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import social.feed.engine.LocalQueue;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.effect.EffectHandlers;
import social.feed.streams.plan.Plan;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The multiplexer as the local platform calls it. */
class ITLocalEntry extends EntryContract {
  private static TestTable table;
  private static LocalQueue queue;
  private static String queueUrl;
  private static SqsClient client;
  private static Multiplexer multiplexer;

  @BeforeAll
  static void start() {
    table = TestTable.start();
    queue = LocalQueue.start();
    queueUrl = queue.createQueue("letters").toString();
    client = queue.newClient();
    multiplexer =
        new Multiplexer(
            table.table(),
            new Plan(Duration.ofDays(90)),
            new EffectHandlers(table.table(), table.clock(), 20, _ -> {}),
            new CelebrityRule(1_000),
            new SqsDeadLetters(client, queueUrl),
            table.clock());
  }

  @AfterAll
  static void stop() {
    client.close();
    queue.close();
    table.close();
  }

  @Override
  TimeWindowEventResponse handle(DynamodbTimeWindowEvent event) {
    return multiplexer.handle(event);
  }

  @Override
  TestTable table() {
    return table;
  }

  @Override
  LocalQueue queue() {
    return queue;
  }

  @Override
  String queueUrl() {
    return queueUrl;
  }
}
