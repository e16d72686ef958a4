package social.feed.table.kernel.store;

import java.util.Map;
import java.util.Optional;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * How a conditional write or a {@link Transaction} ended. A transaction that is not done and has no
 * failed condition met another transaction or was throttled; the same writes can succeed later.
 *
 * @param isDone whether everything was written; otherwise nothing was
 * @param failed the keys whose conditions failed, with the items there; an item is empty unless the
 *     condition returns it and there is one
 */
public record WriteOutcome(boolean isDone, Map<Key, Map<String, AttributeValue>> failed) {
  static WriteOutcome done() {
    return new WriteOutcome(true, Map.of());
  }

  static WriteOutcome failedAt(Key key, ConditionalCheckFailedException e) {
    return new WriteOutcome(false, Map.of(key, e.hasItem() ? e.item() : Map.of()));
  }

  /** Whether a condition failed, of whichever write. */
  public boolean hasFailedCondition() {
    return !failed.isEmpty();
  }

  /** Whether the condition of the write at a key failed. */
  public boolean failedAt(Key key) {
    return failed.containsKey(key);
  }

  /**
   * The item that made the condition of the write at a key fail, where the condition returns it.
   */
  public Optional<Map<String, AttributeValue>> existing(Key key) {
    return Optional.ofNullable(failed.get(key)).filter(item -> !item.isEmpty());
  }
}
