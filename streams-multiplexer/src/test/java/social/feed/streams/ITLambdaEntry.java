package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import social.feed.streams.lambda.MultiplexerFunction;

/**
 * The function as Lambda makes and calls it: without arguments, its settings from the environment
 * (here system properties, of the SDK's and Micronaut's own names), events and responses as JSON.
 */
class ITLambdaEntry extends EntryContract {
  private static Resources resources;
  private static Map<String, String> properties;
  private static MultiplexerFunction function;

  @BeforeAll
  static void start() {
    resources = Resources.start();
    properties =
        Map.of(
            "aws.endpointUrlDynamoDb",
            resources.table().endpoint().toString(),
            "aws.endpointUrlSqs",
            resources.queue().endpoint().toString(),
            "aws.region",
            "us-east-1",
            "aws.accessKeyId",
            "test",
            "aws.secretAccessKey",
            "test",
            "feed.multiplexer.table",
            resources.table().table().name(),
            "feed.multiplexer.dead-letter-queue-url",
            resources.queueUrl(),
            "feed.multiplexer.event-queue-url",
            resources.queueUrl());
    properties.forEach(System::setProperty);
    function = new MultiplexerFunction();
  }

  @AfterAll
  static void stop() {
    function.close();
    properties.keySet().forEach(System::clearProperty);
    resources.close();
  }

  @Override
  TimeWindowEventResponse handle(DynamodbTimeWindowEvent event) {
    return Events.returned(function.handleRequest(Events.read(Events.write(event)), null));
  }

  @Override
  Resources resources() {
    return resources;
  }
}
