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

/** Refuses what it is told to, for want of throughput. */
public final class ThrottlingWire implements Wire {
  private final Faults throttling =
      new Faults(new Random(1), FaultMix.only(FaultKind.THROTTLED, 1_000), Replica.NONE);

  private volatile Predicate<DynamoDbRequest> refused = _ -> false;
  private final AtomicInteger refusals = new AtomicInteger();

  /** From now on refuses all calls but the first ones. */
  public void refuseAfter(int calls) {
    AtomicInteger left = new AtomicInteger(calls);
    refuse(_ -> left.getAndDecrement() <= 0);
  }

  /** From now on refuses all calls of a kind. */
  public void refuse(Predicate<DynamoDbRequest> kind) {
    refusals.set(0);
    refused = kind;
  }

  /** From now on refuses nothing. */
  public void cease() {
    refused = _ -> false;
  }

  /** How many calls were refused since it was told to. */
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
