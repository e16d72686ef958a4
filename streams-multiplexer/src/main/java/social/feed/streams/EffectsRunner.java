package social.feed.streams;

import static java.util.Objects.requireNonNull;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import io.opentelemetry.api.trace.SpanContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.effect.Effect;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.row.Key;

/**
 * Applies the effects of a batch. Effects of one partition key keep the order of the stream, as the
 * event source does; those of different keys run concurrently. Effects of one kind that different
 * keys are ready for are applied together, which saves calls. Those that write one shared item run
 * one after the other, whatever the keys of their records. Fences come after all others. Of the
 * effects of one item that collapse, only the last one is applied. An effect that can never succeed
 * becomes a dead letter, and the rest of the batch goes on.
 */
public final class EffectsRunner {
  private static final Logger LOG = LoggerFactory.getLogger(EffectsRunner.class);

  private final Plan plan;
  private final Consumer<List<Effect>> handlers;
  private final DeadLetters deadLetters;
  private final Consumer<Effect> deadLettered;
  private final Concurrency concurrency;
  private final RecordTraces traces;

  /**
   * How partition keys share a batch.
   *
   * @param atOnce the most tasks; where a batch has more keys, each task has several
   * @param together runs tasks that do not depend on each other, and returns when all have ended
   */
  public record Concurrency(int atOnce, Consumer<List<? extends Runnable>> together) {
    /** Each task has a thread. */
    static Concurrency ofThreads(int atOnce) {
      return new Concurrency(
          atOnce,
          tasks ->
              ParallelCalls.map(
                  tasks,
                  atOnce,
                  task -> {
                    task.run();
                    return true;
                  }));
    }
  }

  /** The work of a step. */
  private sealed interface Work {}

  private record Apply(Effect effect) implements Work {}

  private record Unreadable(RuntimeException why) implements Work {}

  /** A part of the work for a record. */
  private static final class Step {
    /** The place of the record in the batch. */
    private final int place;

    /** Steps of one order run one after the other. */
    private final String order;

    private final Work work;

    /** The context of the request that caused it; absent without a trace. */
    private final @Nullable SpanContext request;

    Step(int place, String order, Work work, @Nullable SpanContext request) {
      this.place = place;
      this.order = order;
      this.work = work;
      this.request = request;
    }

    boolean isShared() {
      return work instanceof Apply(var effect) && Plan.sharedItem(effect).isPresent();
    }

    boolean isFence() {
      return work instanceof Apply(var effect) && Plan.isFence(effect);
    }

    /** Whether both have effects of one kind, and of one trace. */
    boolean isLike(Step other) {
      return work instanceof Apply(var one)
          && other.work instanceof Apply(var another)
          && one.getClass() == another.getClass()
          && RecordTraces.isSame(request, other.request);
    }
  }

  /** Names an item whose effects of one kind collapse. */
  private record Collapsing(String partition, Class<?> kind, Object item) {}

  /**
   * @param handlers applies effects of one kind
   * @param deadLettered is called for each effect that has become a dead letter
   */
  public EffectsRunner(
      Plan plan,
      Consumer<List<Effect>> handlers,
      DeadLetters deadLetters,
      Consumer<Effect> deadLettered,
      Concurrency concurrency) {
    this(plan, handlers, deadLetters, deadLettered, concurrency, RecordTraces.NONE);
  }

  EffectsRunner(
      Plan plan,
      Consumer<List<Effect>> handlers,
      DeadLetters deadLetters,
      Consumer<Effect> deadLettered,
      Concurrency concurrency,
      RecordTraces traces) {
    this.plan = plan;
    this.handlers = handlers;
    this.deadLetters = deadLetters;
    this.deadLettered = deadLettered;
    this.concurrency = concurrency;
    this.traces = traces;
  }

  /**
   * Applies a batch.
   *
   * @return the record from which on everything must come again, or empty when all is done
   */
  public Optional<DynamodbStreamRecord> run(List<DynamodbStreamRecord> records) {
    var steps = steps(records);
    var again = run(records, steps.stream().filter(step -> !step.isFence()).toList());
    // A fence that was passed proves that all before it were applied, so it waits for them.
    int end = again.orElse(records.size());
    var passed = steps.stream().filter(step -> step.isFence() && step.place < end).toList();
    return run(records, passed).or(() -> again).map(records::get);
  }

  /** Applies steps, and returns the place of the record that must come again. */
  private Optional<Integer> run(List<DynamodbStreamRecord> records, List<Step> steps) {
    var failedAt = new AtomicInteger(Integer.MAX_VALUE);
    var all = share(steps, failedAt);
    Collection<Task> ready = all;
    while (true) {
      concurrency.together.accept(List.copyOf(ready));
      // Each task stops at its first unfinished record or behind one that comes again, so all
      // before the lowest of them is done.
      var stopped =
          all.stream()
              .filter(Task::isStopped)
              // A record that comes again for one effect is no dead letter for another yet.
              .min(
                  Comparator.<Task>comparingInt(task -> task.next().place)
                      .thenComparing(task -> !task.mayRetry()));
      if (stopped.isEmpty()) {
        return Optional.empty();
      }
      var task = stopped.get();
      int place = task.next().place;
      var record = records.get(place);
      if (task.mayRetry()) {
        RecordFields.add(LOG.atWarn(), record)
            .setCause(task.failure)
            .log("Record {} must come again", sequence(record));
        return Optional.of(place);
      }
      // Sent earlier, it would be sent again with each retry of a record before it.
      sendToDeadLetters(record, task);
      task.skip();
      ready = List.of(task);
    }
  }

  /** Returns the steps of a batch in their order, of those that collapse only the last. */
  private List<Step> steps(List<DynamodbStreamRecord> records) {
    var steps = new ArrayList<Step>();
    var kept = new HashSet<Collapsing>();
    var requests = traces.of(records);
    for (int place = records.size() - 1; place >= 0; place--) {
      var partition = partition(records.get(place));
      for (var work : work(records.get(place)).reversed()) {
        var item = collapsing(partition, work);
        // The last one comes again where it fails, and covers those before it.
        if (item.isEmpty() || kept.add(item.get())) {
          steps.add(new Step(place, order(partition, work), work, requests.get(place)));
        }
      }
    }
    return steps.reversed();
  }

  private static Optional<Collapsing> collapsing(String partition, Work work) {
    return switch (work) {
      case Apply(var effect) ->
          Plan.collapsingItem(effect)
              .map(item -> new Collapsing(partition, effect.getClass(), item));
      case Unreadable _ -> Optional.empty();
    };
  }

  /** Names those that run one after the other: of one partition key, or on one shared item. */
  private static String order(String partition, Work work) {
    return switch (work) {
      case Apply(var effect) -> Plan.sharedItem(effect).map(Key::toString).orElse(partition);
      case Unreadable _ -> partition;
    };
  }

  private List<? extends Work> work(DynamodbStreamRecord record) {
    try {
      return plan.effects(ChangeDecoder.decode(record), record).stream().map(Apply::new).toList();
    } catch (RuntimeException e) {
      return List.of(new Unreadable(e));
    }
  }

  private static String partition(DynamodbStreamRecord record) {
    var keys = record.getDynamodb().getKeys();
    var key = keys == null ? null : keys.get(BaseTable.PK);
    return key == null ? "" : key.getS();
  }

  /** Gives each task the steps of some orders. */
  private Collection<Task> share(List<Step> steps, AtomicInteger failedAt) {
    // Two counters, because a post has an effect of each kind, which would split the tasks in two.
    Map<String, Integer> taskOfShared = new HashMap<>();
    Map<String, Integer> taskOfOther = new HashMap<>();
    Map<Integer, Task> tasks = new LinkedHashMap<>();
    for (var step : steps) {
      var taskOf = step.isShared() ? taskOfShared : taskOfOther;
      int number = taskOf.computeIfAbsent(step.order, _ -> taskOf.size() % concurrency.atOnce);
      tasks.computeIfAbsent(number, _ -> new Task(failedAt)).left.add(step);
    }
    return tasks.values();
  }

  /** The steps of some orders. */
  private final class Task implements Runnable {
    private final List<Step> left = new ArrayList<>();

    /** Steps of a group that failed, to be tried one by one. */
    private final Set<Step> suspects = new HashSet<>();

    /** The lowest place of a retryable failure in the batch. All behind it comes again. */
    private final AtomicInteger failedAt;

    private @Nullable RuntimeException failure;

    Task(AtomicInteger failedAt) {
      this.failedAt = failedAt;
    }

    /** Applies what is left, until a step fails, or a step before it in another task. */
    @Override
    public void run() {
      while (!left.isEmpty() && failure == null && next().place <= failedAt.get()) {
        var group = group();
        try {
          apply(group);
          left.removeAll(new HashSet<>(group));
        } catch (RuntimeException e) {
          if (Failures.isRetryable(e)) {
            failedAt.accumulateAndGet(next().place, Math::min);
          }
          if (Failures.isRetryable(e) || group.size() == 1) {
            failure = e;
          }
          suspects.addAll(group);
        }
      }
    }

    boolean isStopped() {
      return !left.isEmpty();
    }

    Step next() {
      return left.getFirst();
    }

    boolean mayRetry() {
      return failure != null && next().work instanceof Apply && Failures.isRetryable(failure);
    }

    /** Leaves out the step that failed. */
    void skip() {
      left.removeFirst();
      failure = null;
    }

    /**
     * Returns the next step, with those of its kind that no other step of their key is before.
     * Effects that were applied before a failure of their group are applied again unchanged.
     */
    private List<Step> group() {
      var first = next();
      if (suspects.contains(first) || first.work instanceof Unreadable) {
        return List.of(first);
      }
      var group = new ArrayList<Step>();
      var waiting = new HashSet<String>();
      for (var step : left) {
        if (step.isLike(first) && !suspects.contains(step) && !waiting.contains(step.order)) {
          group.add(step);
        } else {
          waiting.add(step.order);
        }
      }
      return group;
    }

    private void apply(List<Step> group) {
      var effects = new ArrayList<Effect>();
      for (var step : group) {
        switch (step.work) {
          case Apply(var effect) -> effects.add(effect);
          case Unreadable(var why) -> throw why;
        }
      }
      traces.run(
          group.getFirst().request,
          effects.getFirst().getClass().getSimpleName(),
          effects.size(),
          () -> handlers.accept(effects));
    }
  }

  private void sendToDeadLetters(DynamodbStreamRecord record, Task task) {
    RecordFields.add(LOG.atError(), record)
        .setCause(task.failure)
        .log("Record {} is a dead letter", sequence(record));
    var why = Failures.describe(requireNonNull(task.failure));
    switch (task.next().work) {
      case Apply(var effect) -> {
        deadLetters.send(DeadLetter.of(Plan.nameOf(effect), why, record));
        deadLettered.accept(effect);
      }
      case Unreadable _ -> {
        deadLetters.send(DeadLetter.of(DeadLetter.DECODE, why, record));
        plan.unreadableCountsOnce(record).forEach(deadLettered);
      }
    }
  }

  private static String sequence(DynamodbStreamRecord record) {
    return record.getDynamodb().getSequenceNumber();
  }
}
