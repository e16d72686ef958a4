package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fan-out of a post to its author's followers: {@code FANOUT#<post> / PLAN}.
 *
 * @param postId the post
 * @param planId differs between the plans of a post; absent if the audience was served at once, and
 *     if an earlier version began the plan
 * @param chunks one more than the number of the last chunk; 0 when the audience was small enough
 *     for immediate delivery
 * @param written number of feed entries written by an immediate delivery
 * @param skipped number of followers skipped by an immediate delivery, who must not get an entry
 * @param startedAt when the fan-out began
 * @param plannedAt when the whole audience was divided into chunks, absent until then
 * @param failedAt when the fan-out became a dead letter, absent once that was redriven
 * @param expiresAt epoch second after which no one needs the row
 */
@StoredAs(RowKind.FAN_OUT_PLAN)
public record FanOutPlan(
    String postId,
    @Nullable String planId,
    long chunks,
    long written,
    long skipped,
    Instant startedAt,
    @Nullable Instant plannedAt,
    @Nullable Instant failedAt,
    long expiresAt)
    implements Row {
  public static final String PLAN_ID = "plan_id";
  public static final String STARTED_AT = "started_at";

  private static final String SORT = "PLAN";

  public static Key key(String postId) {
    return new Key(Keys.fanout(postId), SORT);
  }

  /** Returns a fan-out whose audience is not divided yet. */
  public static FanOutPlan begun(String postId, String planId, Instant now, long expiresAt) {
    return new FanOutPlan(postId, planId, 0, 0, 0, now, null, null, expiresAt);
  }

  /** Returns a fan-out that was delivered immediately. */
  public static FanOutPlan served(
      String postId, long written, long skipped, Instant now, long expiresAt) {
    return new FanOutPlan(postId, null, 0, written, skipped, now, now, null, expiresAt);
  }

  /** Returns the fan-out with its whole audience divided into chunks. */
  public FanOutPlan planned(long numberOfChunks, Instant now) {
    return new FanOutPlan(postId, planId, numberOfChunks, 0, 0, startedAt, now, null, expiresAt);
  }

  /** Returns the fan-out as a failed one: it can never be delivered as it is. */
  public FanOutPlan failed(Instant now) {
    return new FanOutPlan(postId, planId, 0, 0, 0, startedAt, null, now, expiresAt);
  }

  /**
   * Returns whether the fan-out was delivered immediately, so that this row holds its complete
   * result.
   */
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
