package social.feed.table.home;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;

/**
 * The progress of the fan-out of a post.
 *
 * @param isPlanned whether {@code planned} counts all followers
 * @param planned the number of followers in the fan-out so far
 * @param written the number of entries written
 * @param skipped the number of followers who are not eligible, or have unfollowed
 * @param failed the number of followers in chunks that cannot be delivered
 * @param isDeadLettered whether the fan-out became a dead letter before any delivery
 * @param startedAt when the fan-out started
 * @param doneAt when the latest completed chunk ended
 */
public record FanOutProgress(
    boolean isPlanned,
    long planned,
    long written,
    long skipped,
    long failed,
    boolean isDeadLettered,
    Instant startedAt,
    @Nullable Instant doneAt) {

  static FanOutProgress of(FanOutPlan plan) {
    return new FanOutProgress(
        plan.plannedAt() != null,
        plan.written() + plan.skipped(),
        plan.written(),
        plan.skipped(),
        0,
        plan.failedAt() != null,
        plan.startedAt(),
        plan.isServedAtOnce() ? plan.plannedAt() : null);
  }

  FanOutProgress with(FanOutChunk chunk) {
    boolean isLater = chunk.doneAt() != null && (doneAt == null || chunk.doneAt().isAfter(doneAt));
    return new FanOutProgress(
        isPlanned,
        planned + chunk.followers(),
        written + chunk.written(),
        skipped + chunk.skipped(),
        failed + (chunk.outcome() == ChunkOutcome.FAILED ? chunk.followers() : 0),
        isDeadLettered,
        startedAt,
        isLater ? chunk.doneAt() : doneAt);
  }

  /** Returns whether no work is left. */
  public boolean isDone() {
    return isPlanned && written + skipped + failed >= planned;
  }
}
