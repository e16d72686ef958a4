package social.feed.testkit.simulation;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Lets others do something while a call of the function is on its way, and suspends the function
 * meanwhile. What runs beside it runs within it: one thread, one order, and so the same for the
 * same generator.
 */
final class Interleaving implements Wire {
  private static final int DEPTH = 2;

  private final Wire below;
  private final RandomGenerator random;
  private final ToIntFunction<DynamoDbRequest> perThousand;
  private final Consumer<DynamoDbRequest> others;
  private int depth;

  /**
   * @param perThousand of a thousand such calls, during how many others do something
   */
  Interleaving(
      Wire below,
      RandomGenerator random,
      ToIntFunction<DynamoDbRequest> perThousand,
      Consumer<DynamoDbRequest> others) {
    this.below = below;
    this.random = random;
    this.perThousand = perThousand;
    this.others = others;
  }

  @Override
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    if (depth < DEPTH && random.nextInt(1_000) < perThousand.applyAsInt(request)) {
      depth++;
      try {
        others.accept(request);
      } finally {
        depth--;
      }
    }
    return below.send(request, table);
  }
}
