package social.feed.streams.effect;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.Failures;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.AccountReferences.Swept;
import social.feed.table.erasure.Eraser;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.PendingErasure;

/**
 * Does one part of the sweep that all pending erasures share, and notes the progress, which comes
 * back through the stream and triggers the next part. A part whose progress another process has
 * noted is skipped. A part that was cut off is done again.
 */
public final class SweepErasuresHandler
    implements EffectHandler<SweepErasuresHandler.SweepErasures> {
  /** Does the next part of the sweep, if the sweep is at this revision. */
  public record SweepErasures(long revision) implements Effect {}

  private static final Logger LOG = LoggerFactory.getLogger(SweepErasuresHandler.class);

  /**
   * A part that concludes begins with no further erasure after this time. Other effects go on then,
   * before the next part.
   */
  private static final Duration CONCLUDING = Duration.ofSeconds(10);

  private final ErasureSweeps sweeps;
  private final AccountReferences references;
  private final Eraser eraser;
  private final ErasureTraces traces;
  private final Clock clock;

  /** The erasures of a sweep do not change during its scan, so each process reads them once. */
  private volatile Members members = new Members(0, Map.of());

  private record Members(long sweep, Map<String, PendingErasure> byUserId) {}

  public SweepErasuresHandler(EffectContext context) {
    this.sweeps = context.sweeps;
    this.references = context.references;
    this.eraser = new Eraser(context.table, context.clock, context.removing);
    this.traces = context.traces;
    this.clock = context.clock;
  }

  @Override
  public void apply(List<SweepErasures> effects) {
    var sweep = sweeps.current();
    if (effects.stream().anyMatch(effect -> effect.revision() == sweep.revision())) {
      switch (sweep.step()) {
        case SCANNING -> scan(sweep);
        case CONCLUDING -> conclude(sweep, Timestamps.now(clock));
        case ENDED -> {}
      }
    }
  }

  /** Orders the part again, which the lane then does: it knows the rest and the pace. */
  @Override
  public void applyLate(SweepErasures effect) {
    var sweep = sweeps.current();
    if (effect.revision() == sweep.revision() && sweep.isUnderWay()) {
      sweeps.advance(sweep, sweep.again());
    }
  }

  private void conclude(ErasureSweep sweep, Instant now) {
    var end = clock.instant().plus(CONCLUDING);
    boolean isDone =
        sweeps.conclude(
            sweep, new Asked(traces.ofPart()), now, () -> clock.instant().isBefore(end));
    sweeps.advance(sweep, isDone ? sweeps.ended(sweep, now) : sweep.again());
  }

  /**
   * Asks no more in a part once the other system did not answer, so that no effect waits for it.
   */
  private static final class Asked implements ErasureTraces {
    private final ErasureTraces traces;
    private boolean isAway;

    Asked(ErasureTraces traces) {
      this.traces = traces;
    }

    @Override
    public boolean areLeft(String userId) {
      if (isAway) {
        return true;
      }
      try {
        boolean areLeft = traces.areLeft(userId);
        if (areLeft) {
          LOG.warn("An erasure waits: the search index has or may have entries of the account");
        }
        return areLeft;
      } catch (RuntimeException e) {
        isAway = true;
        LOG.warn("Erasures wait for the next sweep: the search index does not answer", e);
        return true;
      }
    }
  }

  private void scan(ErasureSweep sweep) {
    var now = Timestamps.now(clock);
    var dueAt = sweep.dueAt();
    if (dueAt != null && dueAt.isAfter(now)) {
      // The order comes back later and holds up no other effect meanwhile.
      sweeps.advance(sweep, sweep.again());
      return;
    }
    var pending = members(sweep);
    var part = references.swept(sweep.position(), pending.keySet());
    part.accounts()
        .forEach((userId, swept) -> erase(sweep, requireNonNull(pending.get(userId)), swept, now));
    var end = part.end();
    sweeps.advance(
        sweep, end == null ? sweep.scanned() : sweep.after(end, sweeps.after(part.units(), now)));
  }

  private Map<String, PendingErasure> members(ErasureSweep sweep) {
    var known = members;
    if (known.sweep != sweep.number()) {
      known = new Members(sweep.number(), sweeps.members(sweep));
      members = known;
    }
    return known.byUserId;
  }

  private void erase(ErasureSweep sweep, PendingErasure pending, Swept swept, Instant now) {
    // Before anything is removed: a part that is cut off must not pass for one that found nothing.
    sweeps.noteFound(pending, now);
    swept
        .unreadable()
        .forEach(key -> LOG.warn("An erasure cannot end: the item at {} cannot be decoded", key));
    try {
      eraser.erase(pending.userId(), swept.rows(), sweeps.mayProve(sweep, pending));
    } catch (RuntimeException e) {
      if (Failures.isRetryable(e)) {
        throw e;
      }
      // The erasure waits for the next sweep; those of other accounts go on.
      LOG.error("An erasure cannot end: {} rows cannot be removed", swept.rows().size(), e);
    }
  }
}
