package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import social.feed.engine.LocalQueue;
import social.feed.streams.lambda.MultiplexerFunction;
import social.feed.testkit.TestTable;

/**
 * The function as Lambda makes and calls it: without arguments, its settings from the environment
 * (here system properties, of the SDK's and Micronaut's own names), events and responses as JSON.
 */
class ITLambdaEntry extends EntryContract {
  private static TestTable table;
  private static LocalQueue queue;
  private static String queueUrl;
  private static Map<String, String> properties;
  private static MultiplexerFunction function;

  @BeforeAll
  static void start() {
    table = TestTable.start();
    queue = LocalQueue.start();
    queueUrl = queue.createQueue("letters").toString();
    properties =
        Map.of(
            "aws.endpointUrlDynamoDb",
            table.endpoint().toString(),
            "aws.endpointUrlSqs",
            queue.endpoint().toString(),
            "aws.region",
            "us-east-1",
            "aws.accessKeyId",
            "test",
            "aws.secretAccessKey",
            "test",
            "feed.multiplexer.table",
            table.table().name(),
            "feed.multiplexer.dead-letter-queue-url",
            queueUrl,
            "feed.multiplexer.event-queue-url",
            queueUrl);
    properties.forEach(System::setProperty);
    function = new MultiplexerFunction();
  }

  @AfterAll
  static void stop() {
    function.close();
    properties.keySet().forEach(System::clearProperty);
    queue.close();
    table.close();
  }

  @Override
  TimeWindowEventResponse handle(DynamodbTimeWindowEvent event) {
    return Events.returned(function.handleRequest(Events.read(Events.write(event)), null));
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
