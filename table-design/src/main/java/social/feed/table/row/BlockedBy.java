package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A {@link Block} from the other side: {@code USER#<id> / BLOCKEDBY#<blocker>}. With it one query
 * in one's own partition finds all blocks, whoever made them.
 *
 * @param userId who is blocked
 * @param blockerId who blocks
 * @param createdAt when
 */
@StoredAs(RowKind.BLOCKED_BY)
public record BlockedBy(String userId, String blockerId, Instant createdAt)
    implements Row, BlockOrMute {
  public static Key key(String userId, String blockerId) {
    return new Key(Keys.user(userId), Keys.blockedBy(blockerId));
  }

  /** The same from the other side. */
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
