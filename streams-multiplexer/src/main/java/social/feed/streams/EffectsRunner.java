package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.change.Change;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.effect.EffectHandlers;
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
  private final EffectHandlers handlers;
  private final DeadLetters deadLetters;

  /** An effect and the record that causes it. */
  private record Step(DynamodbStreamRecord record, Effect effect) {}

  EffectsRunner(Plan plan, EffectHandlers handlers, DeadLetters deadLetters) {
    this.plan = plan;
    this.handlers = handlers;
    this.deadLetters = deadLetters;
  }

  /** The record from which on everything is to come again, or empty when all is done. */
  Optional<DynamodbStreamRecord> run(List<DynamodbStreamRecord> records) {
    var run = new ArrayList<Step>();
    for (var record : records) {
      for (var step : steps(record)) {
        if (!run.isEmpty() && run.getLast().effect.getClass() != step.effect.getClass()) {
          var failed = apply(run);
          if (failed.isPresent()) {
            return failed;
          }
          run.clear();
        }
        run.add(step);
      }
    }
    return apply(run);
  }

  private List<Step> steps(DynamodbStreamRecord record) {
    Change change;
    try {
      change = ChangeDecoder.decode(record);
    } catch (RuntimeException e) {
      bury(record, "decode", e);
      return List.of();
    }
    return plan.of(change).stream()
        .filter(effect -> effect.lane() == Lane.EFFECTS)
        .map(effect -> new Step(record, effect))
        .toList();
  }

  private Optional<DynamodbStreamRecord> apply(List<Step> run) {
    if (run.isEmpty()) {
      return Optional.empty();
    }
    try {
      handlers.apply(run.stream().map(Step::effect).toList());
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
      LOG.warn("Record {} is to come again", Records.sequenceNumber(step.record), failure);
      return Optional.of(step.record);
    }
    bury(step.record, step.effect.getClass().getSimpleName(), failure);
    return Optional.empty();
  }

  private void bury(DynamodbStreamRecord record, String handler, RuntimeException failure) {
    LOG.error("Record {} is a dead letter", Records.sequenceNumber(record), failure);
    deadLetters.send(new DeadLetter(handler, Failures.describe(failure), record));
  }
}
