package social.feed.testkit.simulation;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import social.feed.testkit.fault.Faults;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Lets others do something while a call of the function is on its way, and suspends the function
 * meanwhile. What runs beside it runs within it: one thread, one order, and so the same for the
 * same generator.
 */
final class Interleaving implements Wire {
  private static final int DEPTH = 2;

  /** Most goes wrong between what was read and the write that follows from it. */
  private static final int WRITES = 6;

  private final Wire below;
  private final RandomGenerator random;
  private final int perThousand;
  private final Consumer<DynamoDbRequest> others;
  private int depth;

  Interleaving(
      Wire below, RandomGenerator random, int perThousand, Consumer<DynamoDbRequest> others) {
    this.below = below;
    this.random = random;
    this.perThousand = perThousand;
    this.others = others;
  }

  @Override
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    if (depth < DEPTH && random.nextInt(1_000) < chance(request)) {
      depth++;
      try {
        others.accept(request);
      } finally {
        depth--;
      }
    }
    return below.send(request, table);
  }

  private int chance(DynamoDbRequest request) {
    return Faults.isWrite(request) ? WRITES * perThousand : perThousand;
  }
}
