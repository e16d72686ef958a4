package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of a large fan-out: {@code FANOUT#<post> / CHUNK#<n>}, the followers between two ids. The
 * stream record of its insert starts its delivery.
 *
 * @param postId the post
 * @param feedShards copied from the post, and available here after the post is deleted
 * @param number from 0, six digits in the key
 * @param first id of the first follower
 * @param last id of the last follower
 * @param followers number of followers when the chunk was planned
 * @param planId id of the plan that the chunk is of; absent if an earlier version cut it
 * @param untried true until an attempt to deliver the chunk begins; absent from then on, and from
 *     the start where an earlier attempt may have delivered the post. No write sets it again
 * @param outcome the outcome, absent until the chunk is done
 * @param written number of feed entries that were written
 * @param skipped number of followers who must not get an entry or no longer follow
 * @param doneAt when the chunk ended, absent until then
 * @param expiresAt epoch second after which no one needs the row
 */
@StoredAs(RowKind.FAN_OUT_CHUNK)
public record FanOutChunk(
    String postId,
    int feedShards,
    long number,
    String first,
    String last,
    long followers,
    @Nullable String planId,
    @Nullable Boolean untried,
    @Nullable ChunkOutcome outcome,
    long written,
    long skipped,
    @Nullable Instant doneAt,
    long expiresAt)
    implements Row {
  public static final String UNTRIED = "untried";
  public static final String OUTCOME = "outcome";
  public static final String WRITTEN = "written";
  public static final String SKIPPED = "skipped";
  public static final String DONE_AT = "done_at";

  /** Returns a chunk that is not delivered yet, and may have been tried. */
  public static FanOutChunk of(
      FanOutPlan plan, Post post, long number, String first, String last, long followers) {
    return new FanOutChunk(
        post.postId(),
        post.feedShards(),
        number,
        first,
        last,
        followers,
        plan.planId(),
        null,
        null,
        0,
        0,
        null,
        plan.expiresAt());
  }

  /** Returns the same chunk, of which no entry was written yet. */
  public FanOutChunk asUntried() {
    return new FanOutChunk(
        postId,
        feedShards,
        number,
        first,
        last,
        followers,
        planId,
        true,
        outcome,
        written,
        skipped,
        doneAt,
        expiresAt);
  }

  /** Returns the same chunk with other bounds. */
  public FanOutChunk between(String from, String to) {
    return new FanOutChunk(
        postId,
        feedShards,
        number,
        from,
        to,
        followers,
        planId,
        untried,
        outcome,
        written,
        skipped,
        doneAt,
        expiresAt);
  }

  /**
   * Returns whether the chunk is of a plan. A plan of an earlier version has no id, and is compared
   * by its expiry, in seconds.
   */
  public boolean isOf(FanOutPlan plan) {
    return plan.planId() == null
        ? expiresAt == plan.expiresAt()
        : Objects.equals(planId, plan.planId());
  }

  /** Returns whether a follower with this id lies in the chunk. */
  public boolean reaches(String followerId) {
    return first.compareTo(followerId) <= 0 && last.compareTo(followerId) >= 0;
  }

  public static Key key(String postId, long number) {
    return new Key(Keys.fanout(postId), Keys.chunk(number));
  }

  @Override
  public Key key() {
    return key(postId, number);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(first, last));
  }

  @Override
  public List<Key> parents() {
    // The row expires, and may outlive its post until then.
    return List.of();
  }
}
