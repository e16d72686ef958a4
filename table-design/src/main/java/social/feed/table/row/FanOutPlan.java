package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of a post to those who follow its author: {@code FANOUT#<post> / PLAN}.
 *
 * @param postId the post
 * @param chunks parts that the audience was cut into; 0 when it was small enough to be served at
 *     once
 * @param written entries, of an audience that was served at once
 * @param skipped followers who are owed nothing, of an audience that was served at once
 * @param startedAt when the delivery began
 * @param plannedAt when the whole audience was cut, absent until then
 * @param failedAt when it became a dead letter, absent once that was redriven
 * @param expiresAt epoch second after which nobody asks any more
 */
@StoredAs(RowKind.FAN_OUT_PLAN)
public record FanOutPlan(
    String postId,
    long chunks,
    long written,
    long skipped,
    Instant startedAt,
    @Nullable Instant plannedAt,
    @Nullable Instant failedAt,
    long expiresAt)
    implements Row {
  private static final String SORT = "PLAN";

  public static Key key(String postId) {
    return new Key(Keys.fanout(postId), SORT);
  }

  /** One that is yet to be cut. */
  public static FanOutPlan begun(String postId, Instant now, long expiresAt) {
    return new FanOutPlan(postId, 0, 0, 0, now, null, null, expiresAt);
  }

  /** An audience that was served at once. */
  public static FanOutPlan served(
      String postId, long written, long skipped, Instant now, long expiresAt) {
    return new FanOutPlan(postId, 0, written, skipped, now, now, null, expiresAt);
  }

  /** The whole audience was cut. */
  public FanOutPlan planned(long numberOfChunks, Instant now) {
    return new FanOutPlan(postId, numberOfChunks, 0, 0, startedAt, now, null, expiresAt);
  }

  /** It can never be delivered as it is. */
  public FanOutPlan failed(Instant now) {
    return new FanOutPlan(postId, 0, 0, 0, startedAt, null, now, expiresAt);
  }

  /** Whether there is nothing left but what this row says. */
  public boolean isServedAtOnce() {
    return chunks == 0 && plannedAt != null;
  }

  @Override
  public Key key() {
    return key(postId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // The row expires, and may outlive its post until then.
    return List.of();
  }
}
