package social.feed.testkit.simulation;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Suspends a call and runs other steps during it. Those steps run within the call, in one thread
 * and one order, so the same generator gives the same history.
 */
final class Interleaving implements Wire {
  private static final int DEPTH = 2;

  private final Wire below;
  private final RandomGenerator random;
  private final ToIntFunction<DynamoDbRequest> perThousand;
  private final Consumer<DynamoDbRequest> during;
  private int depth;

  /**
   * @param perThousand the number of calls like this one, in a thousand, during which other steps
   *     run
   * @param during runs the other steps
   */
  Interleaving(
      Wire below,
      RandomGenerator random,
      ToIntFunction<DynamoDbRequest> perThousand,
      Consumer<DynamoDbRequest> during) {
    this.below = below;
    this.random = random;
    this.perThousand = perThousand;
    this.during = during;
  }

  @Override
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    if (depth < DEPTH && random.nextInt(1_000) < perThousand.applyAsInt(request)) {
      depth++;
      try {
        during.accept(request);
      } finally {
        depth--;
      }
    }
    return below.send(request, table);
  }
}
