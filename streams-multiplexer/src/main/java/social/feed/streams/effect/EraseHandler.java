package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.Eraser;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;

/**
 * Does one part of an erasure and notes the progress, which comes back through the stream and
 * triggers the next part. A part whose progress another process has noted is skipped. A part that
 * was cut off is done again, which changes nothing where it was done. A part for which no units
 * were granted is left until they are.
 */
public final class EraseHandler implements EffectHandler<EraseHandler.Erase> {
  /** Does the next part of an erasure, if the erasure is at this revision. */
  public record Erase(String hash, long revision) implements Effect {}

  private final Table table;
  private final Erasures erasures;
  private final ErasureSweeps sweeps;
  private final ErasureQueue queue;
  private final AccountReferences references;
  private final Eraser eraser;
  private final Clock clock;

  public EraseHandler(EffectContext context) {
    this.table = context.table;
    this.erasures = new Erasures(context.table, context.users);
    this.sweeps = context.sweeps;
    this.queue = context.queue;
    this.references = context.references;
    this.eraser = new Eraser(context.table, context.clock, context.removing);
    this.clock = context.clock;
  }

  @Override
  public void apply(List<Erase> effects) {
    effects.forEach(effect -> current(effect).ifPresent(this::advance));
  }

  /**
   * Orders the part again, which the lane then does at its pace. One that rests gets the timer of
   * the sweep again.
   */
  @Override
  public void applyLate(Erase effect) {
    var now = Timestamps.now(clock);
    current(effect)
        .ifPresent(
            erasure -> {
              if (erasure.step() == ErasureStep.RESTING) {
                ErasureSweeps.wakeAgain(table, now);
              } else {
                erasures.orderAgain(erasure, now);
              }
            });
  }

  /** Returns the erasure of an effect, unless it has gone on. */
  private Optional<Erasure> current(Erase effect) {
    return erasures
        .hashed(effect.hash())
        .filter(erasure -> erasure.revision() == effect.revision());
  }

  private void advance(Erasure erasure) {
    var userId = erasure.userId();
    if (userId == null) {
      return;
    }
    var now = Timestamps.now(clock);
    if (erasure.step() == ErasureStep.RESTING) {
      sweeps.arm(now);
      return;
    }
    // What finds a part is paid for as well.
    if (!queue.admits(erasure, ErasureQueue.OF_A_PART, now)) {
      return;
    }
    var found = references.next(erasure, now);
    long units = ErasureQueue.ofPart(found.units());
    if (!queue.admits(erasure, units, now)) {
      return;
    }
    eraser.erase(userId, found.rows(), false);
    if (found.next().isEmpty() && erasure.step() == ErasureStep.WALK) {
      sweeps.join(erasure, now);
    } else {
      var next = found.next().orElseGet(erasure::done);
      erasures.advance(erasure, next.spent(units), now);
    }
  }
}
