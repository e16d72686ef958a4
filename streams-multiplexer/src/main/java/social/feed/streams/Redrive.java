package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.AppliedBefore;
import social.feed.streams.RedriveOutcome.Failed;
import social.feed.streams.change.Change;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.streams.effect.Effect;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.DeferredCounters;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;

/**
 * Applies dead letters after their cause has been repaired, through the plan and the handlers of
 * the stream. A dead letter is applied once, however often it is redriven and however often the
 * stream delivers the record again. Effects are idempotent by key. A count takes the pending count
 * that was written when the record was left out, in the transaction that adds it. A recount
 * includes the record already and removes its pending count.
 */
public final class Redrive {
  private static final String IMAGES_LOST =
      "The images were too large for a message, and the row is not in the table as it was. Run"
          + " ./feed verify --fix, which derives everything again, and drop the dead letter";

  /** A stream of DynamoDB, with the name of its table. */
  private static final Pattern STREAM = Pattern.compile("arn:.*:table/([^/]+)/stream/.*");

  private final Table table;
  private final Plan plan;
  private final EffectHandlers handlers;
  private final DeferredCounters counts;

  /**
   * @param celebrities the rule of the platform; without it a count of followers leaves the flag of
   *     the account as it is
   */
  public Redrive(
      Table table,
      Plan plan,
      EffectHandlers handlers,
      Optional<CelebrityRule> celebrities,
      Clock clock) {
    this.table = table;
    this.plan = plan;
    this.handlers = handlers;
    this.counts = new DeferredCounters(table, celebrities, clock);
  }

  /**
   * Applies a dead letter, unless it is of another table. Costs as much as its effect; a count
   * costs about three read and four write units.
   *
   * @return the outcome; only a dead letter that was applied may be deleted
   */
  public RedriveOutcome apply(DeadLetter deadLetter) {
    try {
      return ofAnotherTable(deadLetter.record())
          .or(() -> change(deadLetter).map(change -> apply(deadLetter, change)))
          .orElseGet(() -> new Failed(IMAGES_LOST));
    } catch (RuntimeException e) {
      return new Failed(Failures.describe(e));
    }
  }

  /**
   * Applies a record of a batch that the effects lane could not apply before its attempts or its
   * time ran out, unless it is of another table. Leaves out the number of posts of an account: it
   * may have been recounted since, and no pending count says whether the recount includes this
   * post. Costs as much as the effects.
   *
   * @return the outcome; never {@link AppliedBefore}, since effects that are idempotent by key do
   *     not report that
   */
  public RedriveOutcome replay(DynamodbStreamRecord record) {
    try {
      return ofAnotherTable(record).orElseGet(() -> replayOwn(record));
    } catch (RuntimeException e) {
      return new Failed(Failures.describe(e));
    }
  }

  private RedriveOutcome replayOwn(DynamodbStreamRecord record) {
    return handle(
        plan.effects(ChangeDecoder.decode(record), record).stream()
            .filter(effect -> !(effect instanceof CountOnce))
            .toList());
  }

  /**
   * Returns a failure for a record of another table: here it would count as applied, mostly without
   * an effect. A record names its table in the stream that it comes from, if at all.
   */
  private Optional<RedriveOutcome> ofAnotherTable(DynamodbStreamRecord record) {
    return Optional.ofNullable(record.getEventSourceARN())
        .map(STREAM::matcher)
        .filter(Matcher::matches)
        .map(stream -> stream.group(1))
        .filter(name -> !name.equals(table.name()))
        .map(
            name ->
                new Failed(
                    "It is a record of the table %s, not of %s. Name its table with --table"
                        .formatted(name, table.name())));
  }

  private RedriveOutcome apply(DeadLetter deadLetter, Change change) {
    if (deadLetter.isOfCounts()) {
      return count(deadLetter, plan.counts(change));
    }
    var effects = plan.effects(change, deadLetter.record());
    return deadLetter.handler().equals(DeadLetter.DECODE)
        // The counts lane has a dead letter of its own for the record, which names the shard.
        ? handle(effects)
        : one(deadLetter.handler(), effects);
  }

  private RedriveOutcome one(String name, List<Effect> effects) {
    var named = effects.stream().filter(effect -> Plan.nameOf(effect).equals(name)).toList();
    return named.isEmpty()
        ? new Failed(
            "This record no longer causes any %s. Drop the dead letter if that is intended"
                .formatted(name))
        : handle(named);
  }

  private RedriveOutcome handle(List<Effect> effects) {
    effects.forEach(handlers::applyLate);
    return new Applied(effects.stream().map(Plan::nameOf).distinct().toList());
  }

  private RedriveOutcome count(DeadLetter deadLetter, List<Count> all) {
    var ofDeadLetter = all.stream().filter(count -> deadLetter.isOfCount(count.item())).toList();
    if (ofDeadLetter.isEmpty()) {
      return deadLetter.handler().equals(DeadLetter.COUNTS)
          ? new Applied(List.of())
          : new Failed(
              "With these settings the record does not count there. Pass the settings of the"
                  + " platform, such as --trend-half-life-hours, or drop the dead letter if that is"
                  + " intended");
    }
    if (deadLetter.shardId().isEmpty()) {
      return new Failed(
          "The dead letter does not name its shard, so the record might be counted twice. Run ./feed"
              + " verify --fix, which recounts, and drop the dead letter");
    }
    var added =
        ofDeadLetter.stream()
            .filter(count -> isAdded(deadLetter, deadLetter.shardId().get(), count))
            .map(it -> "%+d %s of %s".formatted(it.delta(), it.attribute(), it.item()))
            .toList();
    return added.isEmpty() ? new AppliedBefore() : new Applied(added);
  }

  private boolean isAdded(DeadLetter deadLetter, String shardId, Count count) {
    return counts.apply(
        shardId,
        count.item(),
        new CountChange(deadLetter.sequenceNumber(), count.attribute(), count.delta()));
  }

  /** The images of a truncated dead letter are gone; an inserted row may still be in the table. */
  private Optional<Change> change(DeadLetter deadLetter) {
    if (!deadLetter.isTruncated()) {
      return Optional.of(ChangeDecoder.decode(deadLetter.record()));
    }
    return "INSERT".equals(deadLetter.record().getEventName())
        ? table.get(deadLetter.key()).map(item -> new Change.Inserted(RowCodec.decode(item)))
        : Optional.empty();
  }
}
