package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.Eraser;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;

/**
 * Does one part of an erasure and notes the progress, which comes back through the stream and
 * triggers the next part. A part whose progress another process has noted is skipped. A part that
 * was cut off is done again, which changes nothing where it was done.
 */
public final class EraseHandler implements EffectHandler<EraseHandler.Erase> {
  /** Does the next part of an erasure, if the erasure is at this revision. */
  public record Erase(String hash, long revision) implements Effect {}

  private static final Logger LOG = LoggerFactory.getLogger(EraseHandler.class);

  private final Erasures erasures;
  private final AccountReferences references;
  private final Eraser eraser;
  private final Clock clock;

  public EraseHandler(EffectContext context) {
    this.erasures = new Erasures(context.table, context.users);
    this.references =
        new AccountReferences(
            context.table, context.posts, context.follows, context.sizes.walked());
    this.eraser = new Eraser(context.table, context.clock);
    this.clock = context.clock;
  }

  @Override
  public void apply(List<Erase> effects) {
    for (var effect : effects) {
      erasures
          .hashed(effect.hash())
          .filter(erasure -> erasure.revision() == effect.revision())
          .filter(erasure -> erasure.step().isUnderWay())
          .ifPresent(this::advance);
    }
  }

  /** The first walk never proves that nothing is left, so it notes nothing before it removes. */
  private static boolean mayProveTheEnd(Erasure erasure) {
    return erasure.step() == ErasureStep.WALK && erasure.passes() > 0 && !erasure.traced();
  }

  private void advance(Erasure erasure) {
    var userId = erasure.userId();
    if (userId == null) {
      return;
    }
    var now = Timestamps.now(clock);
    var found = references.next(erasure);
    if (mayProveTheEnd(erasure) && !found.isNothing()) {
      // Note it first: a walk that is cut off after a find must not pass for one that found
      // nothing.
      erasures.advance(erasure, erasure.withReferenceFound(), now);
      return;
    }
    found
        .unreadable()
        .forEach(key -> LOG.warn("An erasure cannot end: the item at {} cannot be decoded", key));
    eraser.erase(userId, found.rows(), erasure.passes() > 0);
    erasures.advance(erasure, found.next().orElseGet(() -> erasure.done(now)), now);
  }
}
