package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.plan.Effect.Erase;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.Eraser;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;

/**
 * Does a part of an erasure and notes how far it is, which comes back through the stream and is the
 * order for the next part. One that was noted by somebody else meanwhile is left to them; one that
 * was cut off is done again, which changes nothing where it was done.
 */
final class EraseHandler implements EffectHandler<Erase> {
  private static final Logger LOG = LoggerFactory.getLogger(EraseHandler.class);

  private final Erasures erasures;
  private final AccountReferences traces;
  private final Eraser eraser;
  private final Clock clock;

  EraseHandler(Erasures erasures, AccountReferences traces, Eraser eraser, Clock clock) {
    this.erasures = erasures;
    this.traces = traces;
    this.eraser = eraser;
    this.clock = clock;
  }

  @Override
  public void apply(List<Erase> effects) {
    for (var effect : effects) {
      erasures
          .hashed(effect.hash())
          .filter(erasure -> erasure.revision() == effect.revision())
          .filter(erasure -> erasure.step().isUnderWay())
          .ifPresent(this::goOn);
    }
  }

  /** As the first walk never is, it notes nothing before it removes. */
  private static boolean mayBeTheProof(Erasure erasure) {
    return erasure.step() == ErasureStep.WALK && erasure.passes() > 0 && !erasure.traced();
  }

  private void goOn(Erasure erasure) {
    var userId = erasure.userId();
    if (userId == null) {
      return;
    }
    var now = Timestamps.now(clock);
    var found = traces.next(erasure);
    if (mayBeTheProof(erasure) && !found.isNothing()) {
      // First the note: a walk that was cut off behind a find must not pass for one without.
      erasures.advance(erasure, erasure.tracing(), now);
      return;
    }
    found
        .unreadable()
        .forEach(key -> LOG.warn("An erasure cannot end: nobody can read the item at {}", key));
    eraser.erase(userId, found.rows(), erasure.passes() > 0);
    erasures.advance(erasure, found.next().orElseGet(() -> erasure.done(now)), now);
  }
}
