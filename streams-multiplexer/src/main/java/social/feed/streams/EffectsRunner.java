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
import social.feed.streams.effect.Effect;
import social.feed.streams.plan.Plan;

/**
 * Applies the effects of a batch in the order of the stream and stops at the first retryable
 * failure. Effects of one kind that follow each other are applied together, which saves calls. An
 * effect that can never succeed becomes a dead letter, and the rest of the batch goes on.
 */
public final class EffectsRunner {
  private static final Logger LOG = LoggerFactory.getLogger(EffectsRunner.class);

  private final Plan plan;
  private final Consumer<List<Effect>> handlers;
  private final DeadLetters deadLetters;
  private final Consumer<Effect> deadLettered;

  /** A part of the work for a record. */
  private sealed interface Work {}

  /** An effect and the record that causes it. */
  private record Step(DynamodbStreamRecord record, Effect effect) implements Work {}

  private record Unreadable(DynamodbStreamRecord record, RuntimeException why) implements Work {}

  /**
   * @param handlers applies effects of one kind that follow each other
   * @param deadLettered is called for each effect that has become a dead letter
   */
  public EffectsRunner(
      Plan plan,
      Consumer<List<Effect>> handlers,
      DeadLetters deadLetters,
      Consumer<Effect> deadLettered) {
    this.plan = plan;
    this.handlers = handlers;
    this.deadLetters = deadLetters;
    this.deadLettered = deadLettered;
  }

  /**
   * Applies a batch.
   *
   * @return the record from which on everything must come again, or empty when all is done
   */
  public Optional<DynamodbStreamRecord> run(List<DynamodbStreamRecord> records) {
    var group = new ArrayList<Step>();
    for (var record : records) {
      for (var work : work(record)) {
        if (!continues(group, work)) {
          var failed = apply(group);
          if (failed.isPresent()) {
            return failed;
          }
          group.clear();
        }
        switch (work) {
          case Step step -> group.add(step);
          // All before it is done now. Sent earlier, it would be sent again with each retry of
          // that.
          case Unreadable(var unreadable, var why) -> {
            sendToDeadLetters(unreadable, DeadLetter.DECODE, why);
            plan.unreadableCountsOnce(unreadable).forEach(deadLettered);
          }
        }
      }
    }
    return apply(group);
  }

  private static boolean continues(List<Step> group, Work next) {
    return switch (next) {
      case Step step ->
          group.isEmpty() || group.getLast().effect.getClass() == step.effect.getClass();
      case Unreadable _ -> group.isEmpty();
    };
  }

  private List<? extends Work> work(DynamodbStreamRecord record) {
    try {
      return plan.effects(ChangeDecoder.decode(record)).stream()
          .map(effect -> new Step(record, effect))
          .toList();
    } catch (RuntimeException e) {
      return List.of(new Unreadable(record, e));
    }
  }

  private Optional<DynamodbStreamRecord> apply(List<Step> group) {
    if (group.isEmpty()) {
      return Optional.empty();
    }
    try {
      handlers.accept(group.stream().map(Step::effect).toList());
      return Optional.empty();
    } catch (RuntimeException e) {
      if (Failures.isRetryable(e) || group.size() == 1) {
        return failed(group.getFirst(), e);
      }
      return applyEach(group);
    }
  }

  /** Finds the effect that fails. Effects that were applied before are applied again unchanged. */
  private Optional<DynamodbStreamRecord> applyEach(List<Step> group) {
    for (var step : group) {
      var failed = apply(List.of(step));
      if (failed.isPresent()) {
        return failed;
      }
    }
    return Optional.empty();
  }

  private Optional<DynamodbStreamRecord> failed(Step step, RuntimeException failure) {
    if (Failures.isRetryable(failure)) {
      LOG.warn("Record {} must come again", step.record.getDynamodb().getSequenceNumber(), failure);
      return Optional.of(step.record);
    }
    sendToDeadLetters(step.record, Plan.nameOf(step.effect), failure);
    deadLettered.accept(step.effect);
    return Optional.empty();
  }

  private void sendToDeadLetters(
      DynamodbStreamRecord record, String handler, RuntimeException failure) {
    LOG.error("Record {} is a dead letter", record.getDynamodb().getSequenceNumber(), failure);
    deadLetters.send(DeadLetter.of(handler, Failures.describe(failure), record));
  }
}
