package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Retention;

/**
 * A mute: {@code USER#<id> / MUTE#<other>}. The follow edge stays, but the home feed and the
 * notifications hide the other account.
 *
 * @param userId the account that mutes
 * @param mutedId the account that is muted
 * @param createdAt when the mute began
 * @param until when the mute ends, exclusive; absent for a mute that does not end by itself
 * @param expiresAt epoch second after which TTL may delete the row, some days after the mute ended;
 *     readers use {@code until}
 */
@StoredAs(RowKind.MUTE)
public record Mute(
    String userId,
    String mutedId,
    Instant createdAt,
    @Nullable Instant until,
    @Nullable Long expiresAt)
    implements Row, BlockOrMute {
  public static Mute of(String userId, String mutedId, Instant createdAt, @Nullable Instant until) {
    return new Mute(
        userId,
        mutedId,
        createdAt,
        until,
        until == null ? null : until.plus(Retention.ENDED_MUTES).getEpochSecond());
  }

  public static Key key(String userId, String mutedId) {
    return new Key(Keys.user(userId), Keys.mute(mutedId));
  }

  @Override
  public Key key() {
    return key(userId, mutedId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(userId, mutedId));
  }

  @Override
  public List<Key> parents() {
    return List.of(User.key(userId), User.key(mutedId));
  }

  @Override
  public String otherId() {
    return mutedId;
  }

  @Override
  public boolean isInForceAt(Instant time) {
    return until == null || time.isBefore(until);
  }
}
