package social.feed.table.kernel.store;

import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Why transactions are cancelled. The SDK repeats none of them. */
public final class TransactionCancellations {
  private static final String CONDITION = "ConditionalCheckFailed";

  /** The codes of TransactWriteItems after which another attempt, or other values, can succeed. */
  private static final Set<String> PASSING =
      Set.of(
          "None",
          CONDITION,
          "TransactionConflict",
          "ThrottlingError",
          "ProvisionedThroughputExceeded");

  private TransactionCancellations() {}

  /**
   * The reasons, in the order of the writes.
   *
   * @throws IllegalStateException when one of them stays: no retry makes such a write valid
   */
  public static List<CancellationReason> requirePassing(TransactionCanceledException e) {
    var reasons = e.cancellationReasons();
    if (!reasons.stream().allMatch(reason -> PASSING.contains(reason.code()))) {
      throw new IllegalStateException("A transaction that can never succeed: " + reasons, e);
    }
    return reasons;
  }

  /** Whether it was the condition of this write that did not hold. */
  public static boolean failedCondition(CancellationReason reason) {
    return CONDITION.equals(reason.code());
  }
}
