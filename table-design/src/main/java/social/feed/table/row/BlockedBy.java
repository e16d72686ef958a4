package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A {@link Block} seen from the other side: {@code USER#<id> / BLOCKEDBY#<blocker>}. With it, one
 * query of an account's own partition finds the blocks in both directions.
 *
 * @param userId the account that is blocked
 * @param blockerId the account that blocks
 * @param createdAt when the block began
 */
@StoredAs(RowKind.BLOCKED_BY)
public record BlockedBy(String userId, String blockerId, Instant createdAt)
    implements Row, BlockOrMute {
  public static Key key(String userId, String blockerId) {
    return new Key(Keys.user(userId), Keys.blockedBy(blockerId));
  }

  /** Returns the same block as the blocker's row. */
  public Block mirrored() {
    return new Block(blockerId, userId, createdAt);
  }

  @Override
  public Key key() {
    return key(userId, blockerId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(userId, blockerId));
  }

  @Override
  public List<Key> parents() {
    return List.of(User.key(userId), User.key(blockerId));
  }

  @Override
  public String otherId() {
    return blockerId;
  }

  @Override
  public boolean isInForceAt(Instant time) {
    return true;
  }
}
