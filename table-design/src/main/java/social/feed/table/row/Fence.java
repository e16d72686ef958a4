package social.feed.table.row;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One of two rows that show how far a lane of the multiplexer is with a partition: {@code
 * <partition> / 0#FENCE#<name>} and {@code Z#FENCE#<name>}. All other sort keys of the partition
 * lie between them. The row counts itself like a counter: once its lane has applied every earlier
 * record of its shard, {@code passed} is 1 and {@code marks} names the shard.
 *
 * @param partition the partition key
 * @param name the same for both rows
 * @param last whether the row is the one behind the other sort keys
 * @param effects whether the lane of effects must pass it, not the lane of counts
 * @param passed 1 once the lane has passed the row
 * @param marks the shard of the row, once the lane of counts has passed it
 * @param expiresAt epoch second, later than the stream can deliver the row
 */
@StoredAs(RowKind.FENCE)
public record Fence(
    String partition,
    String name,
    boolean last,
    boolean effects,
    long passed,
    Map<String, String> marks,
    long expiresAt)
    implements Row, Counted {
  public static final String PASSED = "passed";

  public static Key key(String partition, String name, boolean last) {
    return new Key(partition, Keys.fence(name, last));
  }

  /** Returns whether a key is the key of a fence. */
  public static boolean isAt(Key key) {
    return Keys.isFence(key.sort());
  }

  /** Returns the processed event of the row in the lane of effects. */
  public String event() {
    return partition + "#" + key().sort();
  }

  @Override
  public Key key() {
    return key(partition, name, last);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Keys.accountOf(partition).map(Set::of).orElse(Set.of());
  }

  @Override
  public List<Key> parents() {
    // The row expires, and may outlive the other rows of its partition.
    return List.of();
  }
}
