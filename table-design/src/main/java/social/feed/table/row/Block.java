package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A block: {@code USER#<id> / BLOCK#<other>}. It hides the two accounts from each other. It is
 * written in one transaction with its {@link BlockedBy} row and the removal of the follow edges
 * between the two.
 *
 * @param userId the account that blocks
 * @param blockedId the account that is blocked
 * @param createdAt when the block began
 */
@StoredAs(RowKind.BLOCK)
public record Block(String userId, String blockedId, Instant createdAt)
    implements Row, BlockOrMute {
  public static Key key(String userId, String blockedId) {
    return new Key(Keys.user(userId), Keys.block(blockedId));
  }

  /** Returns the same block as the other account's row. */
  public BlockedBy mirrored() {
    return new BlockedBy(blockedId, userId, createdAt);
  }

  @Override
  public Key key() {
    return key(userId, blockedId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(userId, blockedId));
  }

  @Override
  public List<Key> parents() {
    return List.of(User.key(userId), User.key(blockedId));
  }

  @Override
  public String otherId() {
    return blockedId;
  }

  @Override
  public boolean isInForceAt(Instant time) {
    return true;
  }
}
