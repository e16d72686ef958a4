package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;

/**
 * Applies a batch in the order of the stream and stops at the first failure that may pass. Effects
 * of one kind that follow each other are applied together, which saves calls. One that can never
 * succeed becomes a dead letter, and the rest of the batch goes on.
 */
final class EffectsRunner {
  private static final Logger LOG = LoggerFactory.getLogger(EffectsRunner.class);

  private final Plan plan;
  private final Consumer<List<Effect>> handlers;
  private final DeadLetters deadLetters;
  private final Consumer<Effect> buried;

  /** What a record asks for. */
  private sealed interface Work {}

  /** An effect and the record that causes it. */
  private record Step(DynamodbStreamRecord record, Effect effect) implements Work {}

  private record Unreadable(DynamodbStreamRecord record, RuntimeException why) implements Work {}

  /**
   * @param handlers applies effects of one kind that follow each other
   * @param buried is told of an effect that has become a dead letter
   */
  EffectsRunner(
      Plan plan,
      Consumer<List<Effect>> handlers,
      DeadLetters deadLetters,
      Consumer<Effect> buried) {
    this.plan = plan;
    this.handlers = handlers;
    this.deadLetters = deadLetters;
    this.buried = buried;
  }

  /** The record from which on everything is to come again, or empty when all is done. */
  Optional<DynamodbStreamRecord> run(List<DynamodbStreamRecord> records) {
    var run = new ArrayList<Step>();
    for (var record : records) {
      for (var work : work(record)) {
        if (!continues(run, work)) {
          var failed = apply(run);
          if (failed.isPresent()) {
            return failed;
          }
          run.clear();
        }
        switch (work) {
          case Step step -> run.add(step);
          // Only now, or each time that what is before it comes again, it would be buried again.
          case Unreadable(var unreadable, var why) -> {
            bury(unreadable, DeadLetter.DECODE, why);
            plan.ofUnread(unreadable).stream()
                .filter(effect -> effect.lane() == Lane.EFFECTS)
                .forEach(buried);
          }
        }
      }
    }
    return apply(run);
  }

  private static boolean continues(List<Step> run, Work next) {
    return switch (next) {
      case Step step -> run.isEmpty() || run.getLast().effect.getClass() == step.effect.getClass();
      case Unreadable _ -> run.isEmpty();
    };
  }

  private List<? extends Work> work(DynamodbStreamRecord record) {
    try {
      return plan.of(ChangeDecoder.decode(record)).stream()
          .filter(effect -> effect.lane() == Lane.EFFECTS)
          .map(effect -> new Step(record, effect))
          .toList();
    } catch (RuntimeException e) {
      return List.of(new Unreadable(record, e));
    }
  }

  private Optional<DynamodbStreamRecord> apply(List<Step> run) {
    if (run.isEmpty()) {
      return Optional.empty();
    }
    try {
      handlers.accept(run.stream().map(Step::effect).toList());
      return Optional.empty();
    } catch (RuntimeException e) {
      if (Failures.isRetryable(e) || run.size() == 1) {
        return failed(run.getFirst(), e);
      }
      return applyEach(run);
    }
  }

  /**
   * Finds the one that spoiled a run; what was applied before is applied again, without a trace.
   */
  private Optional<DynamodbStreamRecord> applyEach(List<Step> run) {
    for (var step : run) {
      var failed = apply(List.of(step));
      if (failed.isPresent()) {
        return failed;
      }
    }
    return Optional.empty();
  }

  private Optional<DynamodbStreamRecord> failed(Step step, RuntimeException failure) {
    if (Failures.isRetryable(failure)) {
      LOG.warn("Record {} is to come again", RecordFields.sequenceNumber(step.record), failure);
      return Optional.of(step.record);
    }
    bury(step.record, step.effect.name(), failure);
    buried.accept(step.effect);
    return Optional.empty();
  }

  private void bury(DynamodbStreamRecord record, String handler, RuntimeException failure) {
    LOG.error("Record {} is a dead letter", RecordFields.sequenceNumber(record), failure);
    deadLetters.send(DeadLetter.of(handler, Failures.describe(failure), record));
  }
}
