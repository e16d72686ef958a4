package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.media.MediaRemovals;
import social.feed.table.row.MediaRemoval;

/**
 * Removes the objects of a file once more, after the store failed. The note of it is deleted after
 * the objects, so an erasure that finds no note leaves none. After a failure the timer is set
 * again, and a removal that has failed for more than a day is reported. Two write units, four after
 * a failure.
 */
public final class RemoveMediaAgainHandler
    implements EffectHandler<RemoveMediaAgainHandler.RemoveMediaAgain> {
  private static final Logger LOG = LoggerFactory.getLogger(RemoveMediaAgainHandler.class);

  /** The timer of a removal has expired. */
  public record RemoveMediaAgain(MediaRemoval timer) implements Effect {}

  private final ObjectRemover remover;
  private final MediaRemovals removals;
  private final Consumer<MediaRemoval> stuck;
  private final Clock clock;

  public RemoveMediaAgainHandler(EffectContext context) {
    this.remover = context.remover;
    this.removals = context.removals;
    this.stuck = context.stuckRemovals;
    this.clock = context.clock;
  }

  @Override
  public void apply(List<RemoveMediaAgain> effects) {
    for (var effect : effects) {
      var timer = effect.timer();
      if (remover.isRemoved(timer.mediaId())) {
        removals.done(timer.mediaId());
      } else if (removals.noteAgain(timer, Timestamps.now(clock))) {
        report(timer.failed());
      }
    }
  }

  private void report(MediaRemoval removal) {
    if (removal.isStuck()) {
      LOG.error(
          "Objects of {} remain after {} attempts in more than a day",
          removal.mediaId(),
          removal.failures());
      stuck.accept(removal);
    }
  }
}
