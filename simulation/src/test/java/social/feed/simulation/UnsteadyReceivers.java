package social.feed.simulation;

import com.sun.net.httpserver.Headers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;

/**
 * The receivers of webhooks, with a path for each webhook. Some refusals send the caller elsewhere.
 * One of the receivers may be down.
 */
final class UnsteadyReceivers extends UnsteadyServer {
  private static final int NO_CONTENT = 204;
  private static final int ELSEWHERE = 307;
  private static final int UNAVAILABLE = 503;

  private final InstantSource clock;
  private final IntPredicate chance;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final List<Call> taken = new CopyOnWriteArrayList<>();

  /**
   * A call, as it came.
   *
   * @param path names the webhook
   * @param isConfirmed whether the answer was a success
   */
  record Call(
      String path,
      String id,
      String timestamp,
      String signatures,
      String body,
      Instant at,
      boolean isConfirmed) {
    DomainEvent event() {
      return EventJson.read(body);
    }
  }

  /**
   * @param chance true once in so many times
   */
  UnsteadyReceivers(InstantSource clock, IntPredicate chance) {
    super(chance, UnaryOperator.identity());
    this.clock = clock;
    this.chance = chance;
  }

  /** Returns the address of the receiver of a webhook. */
  String address(String webhookId) {
    return address() + "/" + webhookId;
  }

  @Override
  Supplier<Answer> arrives(Request request, boolean isConfirmed) {
    var call =
        new Call(
            request.path().substring(1),
            header(request.headers(), "webhook-id"),
            header(request.headers(), "webhook-timestamp"),
            header(request.headers(), "webhook-signature"),
            request.body(),
            clock.instant(),
            isConfirmed);
    calls.add(call);
    return () -> {
      taken.add(call);
      return new Answer(NO_CONTENT, "");
    };
  }

  private static String header(Headers headers, String name) {
    return String.valueOf(headers.getFirst(name));
  }

  @Override
  Answer refusal() {
    return new Answer(chance.test(3) ? ELSEWHERE : UNAVAILABLE, "");
  }

  /** Lets the receiver of a webhook refuse everything from now on. */
  void setDown(String webhookId) {
    setDown(request -> request.path().equals("/" + webhookId));
  }

  /** Lets no receiver be down. */
  void setUp() {
    setDown(_ -> false);
  }

  /** Returns all calls. */
  List<Call> calls() {
    return calls;
  }

  /** Returns the number of calls of a webhook. */
  long calls(String webhookId) {
    return calls.stream().filter(call -> call.path().equals(webhookId)).count();
  }

  /** Returns the calls that the receivers know. */
  List<Call> taken() {
    return taken;
  }
}
