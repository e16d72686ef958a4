package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.streams.lambda.MultiplexerFunction;
import social.feed.streams.plan.Lane;
import social.feed.table.row.Like;

/**
 * The function as Lambda creates and invokes it: by the alias of a lane, with settings from the
 * environment (here system properties, with the SDK's and Micronaut's own names), events and
 * responses as JSON.
 */
class ITLambdaEntry extends EntryContract {
  private static final String FUNCTION =
      "arn:aws:lambda:us-east-1:000000000000:function:feed-multiplexer";

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
        .isThrownBy(
            () ->
                function.handleRequest(
                    event(), new InvokedBy(arn, new TimeLeft(Integer.MAX_VALUE))))
        .withMessageContaining(arn)
        .withMessageContaining("[counts, effects]");
  }

  /** A post whose likes take more calls than an invocation has time for. */
  @Test
  void longWork_stopsBeforeTheDeadline_andGoesOnWithWhatIsLeft() {
    var world = world();
    var post = world.user("ann").posts("liked");
    var likes =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new Like(post.postId(), "liker" + i, post.authorId(), post.createdAt()))
            .toList();
    resources.table().table().putAll(likes);
    var removed = event(StreamRecords.removed(1, post));
    var left = new ArrayList<>(List.of(likes.size()));
    boolean isDone = false;
    while (!isDone) {
      var time = new TimeLeft(20);
      var response = function.handleRequest(removed, context(Lane.EFFECTS, time));
      assertThat(time.asks()).isLessThanOrEqualTo(20 + 3);
      isDone = response.getBatchItemFailures().isEmpty();
      left.add(likes(likes));
      assertThat(left.getLast()).isLessThan(left.getFirst());
    }
    assertThat(left).hasSizeGreaterThan(4).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(left.getLast()).isZero();
    assertThat(deadLetters()).isEmpty();
  }

  /**
   * Lambda halves a batch after a failure, maybe not after a response that names its first record.
   */
  @Test
  void batchWithoutProgress_fails_andARecordAloneComesAgain() {
    var world = world();
    var edge = world.user("bob").follows(world.user("ann"));
    var first = StreamRecords.inserted(1, edge);
    var second = StreamRecords.inserted(2, edge);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                function.handleRequest(
                    event(first, second), context(Lane.EFFECTS, new TimeLeft(1))))
        .withMessageContaining("in time");
    var alone = function.handleRequest(event(first), context(Lane.EFFECTS, new TimeLeft(1)));
    assertThat(alone.getBatchItemFailures()).hasSize(1);
  }

  private static int likes(List<Like> likes) {
    return resources.table().table().getAll(likes.stream().map(Like::key).toList(), true).size();
  }

  @Override
  TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    var context = context(lane, new TimeLeft(Integer.MAX_VALUE));
    return Events.returned(function.handleRequest(Events.read(Events.write(event)), context));
  }

  private static Context context(Lane lane, TimeLeft time) {
    return new InvokedBy(FUNCTION + ":" + lane.alias(), time);
  }

  /** Time that passes with each question for it, so that the number of calls decides. */
  static class TimeLeft {
    private static final int MUCH = 600_000;
    private static final int LITTLE = 5_000;

    private final int until;
    private final AtomicInteger asks = new AtomicInteger();

    /**
     * @param until the number of questions after which little is left
     */
    TimeLeft(int until) {
      this.until = until;
    }

    int asks() {
      return asks.get();
    }

    int millis() {
      return asks.incrementAndGet() > until ? LITTLE : MUCH;
    }
  }

  /** The context of an invocation by an ARN. */
  record InvokedBy(String invokedFunctionArn, TimeLeft time) implements Context {
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
      return time.millis();
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
