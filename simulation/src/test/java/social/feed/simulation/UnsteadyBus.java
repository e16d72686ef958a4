package social.feed.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import social.feed.streams.sink.EventBridgeEvents;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;

/**
 * A bus of EventBridge. It refuses requests, and entries of requests that succeed. What it has
 * taken reaches its target late and out of order at times, and at times twice.
 */
final class UnsteadyBus extends UnsteadyServer {
  /** The id that the bus gives to an entry. */
  static final String ID = "Id";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int OFTEN = 12;
  private static final int OK = 200;
  private static final Answer THROTTLED = failure(400, "ThrottlingException");
  private static final Answer FAILED = failure(500, "InternalException");

  private final Consumer<JsonNode> target;
  private final List<ObjectNode> held = new CopyOnWriteArrayList<>();
  private int ids;

  /**
   * @param chance true once in so many times
   * @param received what a planted client makes of an answer
   * @param target receives each entry
   */
  UnsteadyBus(IntPredicate chance, UnaryOperator<Answer> received, Consumer<JsonNode> target) {
    super(chance, received);
    this.target = target;
  }

  /** Returns a client with the limits and attempts of the platform, and no time between them. */
  EventBridgeClient client() {
    var builder =
        EventBridgeEvents.bounded(EventBridgeClient.builder())
            .httpClientBuilder(Apache5HttpClient.builder())
            .endpointOverride(address())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")));
    return builder
        .overrideConfiguration(
            builder.overrideConfiguration().toBuilder()
                .retryStrategy(
                    attempts ->
                        attempts
                            .backoffStrategy(BackoffStrategy.retryImmediately())
                            .throttlingBackoffStrategy(BackoffStrategy.retryImmediately()))
                .build())
        .build();
  }

  private static Answer failure(int status, String type) {
    return new Answer(status, "{\"__type\":\"%s\"}".formatted(type));
  }

  @Override
  Answer refusal() {
    return happens(2) ? THROTTLED : FAILED;
  }

  @Override
  Supplier<Answer> arrives(Request request, boolean isConfirmed) {
    return () -> put(request.body());
  }

  private synchronized Answer put(String body) {
    var answer = JSON.createObjectNode();
    var results = answer.putArray("Entries");
    int failed = 0;
    for (var entry : entries(body)) {
      if (happens(OFTEN)) {
        failed++;
        results.addObject().put("ErrorCode", "InternalFailure");
      } else {
        var id = String.valueOf(ids++);
        results.addObject().put("EventId", id);
        take(((ObjectNode) entry).put(ID, id));
      }
    }
    return new Answer(OK, answer.put("FailedEntryCount", failed).toString());
  }

  private void take(ObjectNode entry) {
    boolean isHeld = happens(OFTEN);
    if (!isHeld) {
      target.accept(entry);
    }
    if (isHeld || happens(OFTEN)) {
      held.add(entry);
    }
  }

  private static JsonNode entries(String body) {
    try {
      return JSON.readTree(body).path("Entries");
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes what came late, and delivers what was held. */
  @Override
  void goOn() {
    super.goOn();
    held.forEach(target);
    held.clear();
  }
}
