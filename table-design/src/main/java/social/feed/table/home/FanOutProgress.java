package social.feed.table.home;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;

/**
 * How far the delivery of a post is.
 *
 * @param isPlanned whether all followers are accounted for in {@code planned}
 * @param planned followers
 * @param written entries
 * @param skipped followers who are owed nothing, or no longer follow
 * @param failed followers in parts that can never be delivered as they are
 * @param isBuried whether it became a dead letter before anybody was served
 * @param startedAt when it began
 * @param doneAt when the last part so far ended
 */
public record FanOutProgress(
    boolean isPlanned,
    long planned,
    long written,
    long skipped,
    long failed,
    boolean isBuried,
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
        isBuried,
        startedAt,
        isLater ? chunk.doneAt() : doneAt);
  }

  /** Whether nothing is left to do. */
  public boolean isDone() {
    return isPlanned && written + skipped + failed >= planned;
  }
}
