package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.Failed;
import social.feed.streams.change.Change;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.effect.EffectHandlers;
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Effect.Count;
import social.feed.streams.plan.Effect.CountOnce;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.DeferredCounters;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;

/**
 * Applies dead letters after what was wrong has been put right, through the plan and the handlers
 * of the stream. However often it is done, and however often the stream brings the record again, a
 * letter is applied once: effects are idempotent by key, and a count takes the claim that was made
 * when it was left out, in the transaction that adds it. A recount has it already, and leaves no
 * claim.
 */
public final class Redrive {
  private static final String IMAGES_LOST =
      "The images were too large for a letter, and the row is not there as it was. Run ./feed verify"
          + " --fix, which derives everything anew, and drop the letter";

  private final Table table;
  private final Plan plan;
  private final EffectHandlers handlers;
  private final DeferredCounters counts;

  public Redrive(
      Table table, Plan plan, EffectHandlers handlers, CelebrityRule celebrities, Clock clock) {
    this.table = table;
    this.plan = plan;
    this.handlers = handlers;
    this.counts = new DeferredCounters(table, celebrities, clock);
  }

  /**
   * Applies what the letter's handler could not. Costs what the effect costs; a count three read
   * and four write units or so.
   *
   * @return how it went; the letter may be deleted when it was applied, and only then
   */
  public RedriveOutcome apply(DeadLetter letter) {
    try {
      return change(letter)
          .map(change -> apply(letter, plan.of(change)))
          .orElseGet(() -> new Failed(IMAGES_LOST));
    } catch (RuntimeException e) {
      return new Failed(Failures.describe(e));
    }
  }

  /**
   * Applies what the effects lane could not, in all the time that it was given, of a record of a
   * batch. How many posts somebody has it leaves out: that may have been counted anew meanwhile,
   * and no claim says whether this post is in it. Costs what the effects cost.
   *
   * @return how it went; never {@link RedriveOutcome.AppliedBefore}, as effects that are idempotent
   *     by key do not tell
   */
  public RedriveOutcome replay(DynamodbStreamRecord record) {
    try {
      return handle(
          only(
              plan.of(ChangeDecoder.decode(record)),
              effect -> effect.lane() == Lane.EFFECTS && !(effect instanceof CountOnce)));
    } catch (RuntimeException e) {
      return new Failed(Failures.describe(e));
    }
  }

  private RedriveOutcome apply(DeadLetter letter, List<Effect> all) {
    if (letter.isOfCounts()) {
      return count(letter, all);
    }
    return switch (letter.handler()) {
      // What the counts lane could not read has a letter of its own, which knows its shard.
      case DeadLetter.DECODE -> handle(only(all, effect -> effect.lane() == Lane.EFFECTS));
      case String name -> one(name, only(all, effect -> effect.name().equals(name)));
    };
  }

  private RedriveOutcome one(String name, List<Effect> effects) {
    return effects.isEmpty()
        ? new Failed(
            "This record no longer causes any %s. Drop the letter if that is meant".formatted(name))
        : handle(effects);
  }

  private RedriveOutcome handle(List<Effect> effects) {
    effects.forEach(effect -> handlers.applyLate(effect));
    return new Applied(effects.stream().map(Effect::name).distinct().toList());
  }

  private RedriveOutcome count(DeadLetter letter, List<Effect> all) {
    var effects =
        only(all, effect -> effect instanceof Count count && letter.isOfCount(count.item()));
    if (effects.isEmpty()) {
      return letter.handler().equals(DeadLetter.COUNTS)
          ? new Applied(List.of())
          : new Failed(
              "By these settings the record does not count there. Say those of the platform, such as"
                  + " --trend-half-life-hours, or drop the letter if that is meant");
    }
    if (letter.shardId().isEmpty()) {
      return new Failed(
          "The letter does not say its shard, so it might be counted twice. Run ./feed verify --fix,"
              + " which counts anew, and drop the letter");
    }
    var added = new ArrayList<String>();
    for (var effect : effects) {
      if (effect instanceof Count count && count(letter, letter.shardId().get(), count)) {
        added.add("%+d %s of %s".formatted(count.delta(), count.attribute(), count.item()));
      }
    }
    return added.isEmpty() ? new RedriveOutcome.AppliedBefore() : new Applied(added);
  }

  private boolean count(DeadLetter letter, String shardId, Count count) {
    return counts.apply(
        shardId,
        count.item(),
        new CountChange(letter.sequenceNumber(), count.attribute(), count.delta()));
  }

  private static List<Effect> only(List<Effect> effects, Predicate<Effect> wanted) {
    return effects.stream().filter(wanted).toList();
  }

  /** The images of a cut letter are gone; what was inserted may still be there. */
  private Optional<Change> change(DeadLetter letter) {
    if (!letter.isCut()) {
      return Optional.of(ChangeDecoder.decode(letter.record()));
    }
    return "INSERT".equals(letter.record().getEventName())
        ? table.get(letter.key()).map(item -> new Change.Inserted(RowCodec.decode(item)))
        : Optional.empty();
  }
}
