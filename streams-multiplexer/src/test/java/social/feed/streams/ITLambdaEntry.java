package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.streams.lambda.MultiplexerFunction;
import social.feed.streams.plan.Lane;

/**
 * The function as Lambda creates and invokes it: by the alias of a lane, with settings from the
 * environment (here system properties, with the SDK's and Micronaut's own names), events and
 * responses as JSON.
 */
class ITLambdaEntry extends EntryContract {
  private static final String FUNCTION =
      "arn:aws:lambda:us-east-1:000000000000:function:feed-multiplexer";

  private static final int MINUTE = 60_000;

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

  @ParameterizedTest
  @ValueSource(strings = {FUNCTION, FUNCTION + ":live"})
  void function_calledByNoAliasOfALane_fails(String arn) {
    assertThatIllegalStateException()
        .isThrownBy(() -> function.handleRequest(event(), new InvokedBy(arn, MINUTE)))
        .withMessageContaining(arn)
        .withMessageContaining("[counts, effects]");
  }

  /** Otherwise Lambda would end the invocation, and all its records would come again. */
  @ParameterizedTest
  @EnumSource(Lane.class)
  void invocation_thatIsAboutToEnd_reportsTheFirstRecordThatIsNotDone(Lane lane) {
    var world = resources.world();
    var ann = world.user("ann");
    var record = StreamRecords.inserted(1, world.user("bob").follows(ann));
    var event = lane == Lane.COUNTS ? window(record) : event(record);
    var late = new InvokedBy(FUNCTION + ":" + lane.alias(), 0);

    var response = Events.returned(function.handleRequest(event, late));

    assertThat(response.getBatchItemFailures())
        .extracting(TimeWindowEventResponse.BatchItemFailure::getItemIdentifier)
        .containsExactly(record.getDynamodb().getSequenceNumber());
    assertThat(ann.account().followersCount()).isZero();
    assertThat(world.notifications.unreadCount(ann.id())).isZero();
    assertThat(handle(lane, event).getBatchItemFailures()).isEmpty();
    assertThat(ann.account().followersCount() + world.notifications.unreadCount(ann.id()))
        .isEqualTo(1);
  }

  @Override
  TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    var context = new InvokedBy(FUNCTION + ":" + lane.alias(), MINUTE);
    return Events.returned(function.handleRequest(Events.read(Events.write(event)), context));
  }

  /** The context of an invocation by an ARN. */
  private record InvokedBy(String invokedFunctionArn, int remainingMillis) implements Context {
    @Override
    public String getInvokedFunctionArn() {
      return invokedFunctionArn;
    }

    @Override
    public String getAwsRequestId() {
      return "request";
    }

    @Override
    public String getLogGroupName() {
      return "group";
    }

    @Override
    public String getLogStreamName() {
      return "stream";
    }

    @Override
    public String getFunctionName() {
      return "feed-multiplexer";
    }

    @Override
    public String getFunctionVersion() {
      return "1";
    }

    @Override
    public @Nullable CognitoIdentity getIdentity() {
      return null;
    }

    @Override
    public @Nullable ClientContext getClientContext() {
      return null;
    }

    @Override
    public int getRemainingTimeInMillis() {
      return remainingMillis;
    }

    @Override
    public int getMemoryLimitInMB() {
      return 1_024;
    }

    @Override
    public @Nullable LambdaLogger getLogger() {
      return null;
    }
  }

  @Override
  Resources resources() {
    return resources;
  }
}
