package social.feed.api.http;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import social.feed.testkit.fault.FaultKind;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.fault.Faults;
import social.feed.testkit.fault.Replica;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Throttles selected calls. */
public final class ThrottlingWire implements Wire {
  private final Faults throttling =
      new Faults(new Random(1), FaultMix.only(FaultKind.THROTTLED, 1_000), Replica.NONE);

  private volatile Predicate<DynamoDbRequest> refused = _ -> false;
  private final AtomicInteger refusals = new AtomicInteger();

  /** Throttles all calls after a number of calls. */
  public void refuseAfter(int calls) {
    AtomicInteger left = new AtomicInteger(calls);
    refuse(_ -> left.getAndDecrement() <= 0);
  }

  /** Throttles all calls of a kind. */
  public void refuse(Predicate<DynamoDbRequest> kind) {
    refusals.set(0);
    refused = kind;
  }

  /** Stops throttling. */
  public void cease() {
    refused = _ -> false;
  }

  /** Number of calls throttled since the last {@link #refuse}. */
  public int refusals() {
    return refusals.get();
  }

  @Override
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    if (!refused.test(request)) {
      return table.apply(request);
    }
    refusals.incrementAndGet();
    synchronized (throttling) {
      return throttling.send(request, table);
    }
  }
}
