package social.feed.streams;

import static java.util.Objects.requireNonNull;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import io.opentelemetry.api.trace.SpanContext;
import java.util.ArrayList;
import java.util.Collection;
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
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.row.Key;

/**
 * Applies the effects of a batch. Effects of one partition key keep the order of the stream, as the
 * event source does; those of different keys run concurrently. Effects of one kind that different
 * keys are ready for are applied together, which saves calls. Those that write one shared item run
 * one after the other, whatever the keys of their records. Those of likes, comments and follows
 * keep only the order of their own row, and events that of what they are about. Fences come after
 * all others. Of the effects of one item that collapse, only the last one is applied. An effect
 * that can never succeed becomes a dead letter, and the rest of the batch goes on. Where a
 * partition refuses, the effects of other keys are applied before the response names the refused
 * record.
 */
public final class EffectsRunner {
  private static final Logger LOG = LoggerFactory.getLogger(EffectsRunner.class);

  /** After so many refused calls of a batch the table is out of order, and not one of its keys. */
  private static final int REFUSALS = 32;

  private final Plan plan;
  private final Consumer<List<Effect>> handlers;
  private final DeadLetters deadLetters;
  private final Consumer<Effect> deadLettered;
  private final Concurrency concurrency;
  private final RecordTraces traces;

  /** The work of a step. */
  private sealed interface Work {}

  private record Apply(Effect effect) implements Work {}

  private record Unreadable(RuntimeException why) implements Work {}

  /** A part of the work for a record. */
  private static final class Step {
    /** The place of the record in the batch. */
    private final int place;

    /** Steps of one home are in one task. What one of them is refused holds up those behind it. */
    private final String home;

    /** Steps of one order run one after the other. */
    private final String order;

    private final Work work;

    /** The context of the request that caused it; absent without a trace. */
    private final @Nullable SpanContext request;

    Step(int place, String partition, Work work, @Nullable SpanContext request) {
      this.place = place;
      this.home = home(partition, work);
      this.order = order(home, work);
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
   * @param concurrency how partition keys share a batch
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
    var all = share(steps, new AtomicInteger());
    Collection<Task> ready = all;
    while (true) {
      concurrency.together().accept(List.copyOf(ready));
      // Everything before the lowest place of a step that is left is done.
      int place = all.stream().mapToInt(Task::place).min().orElse(Task.NOWHERE);
      if (place == Task.NOWHERE) {
        return Optional.empty();
      }
      var record = records.get(place);
      var stopped = all.stream().filter(task -> task.place() == place).toList();
      // A record that comes again for one effect is no dead letter for another yet.
      var refused = stopped.stream().filter(task -> task.awaitsRetryAt(place)).findFirst();
      if (refused.isPresent()) {
        RecordFields.add(LOG.atWarn(), record)
            .setCause(refused.get().refusal)
            .log("Record {} must come again", sequence(record));
        return Optional.of(place);
      }
      // Sent earlier, it would be sent again with each retry of a record before it.
      var task = stopped.getFirst();
      sendToDeadLetters(record, task);
      task.skip();
      ready = List.of(task);
    }
  }

  /** Returns the steps of a batch in their order, of those that collapse only the last. */
  private List<Step> steps(List<DynamodbStreamRecord> records) {
    var steps = new ArrayList<Step>();
    var kept = new HashSet<Collapsing>();
    var rows = new HashSet<Object>();
    var requests = traces.of(records);
    for (int place = records.size() - 1; place >= 0; place--) {
      var partition = partition(records.get(place));
      for (var work : work(records.get(place)).reversed()) {
        var item = collapsing(partition, work);
        // The last one comes again where it fails, and covers those before it.
        if (item.map(kept::add).orElse(true) && !isCovered(work, rows)) {
          steps.add(new Step(place, partition, work, requests.get(place)));
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

  /**
   * Returns whether a later effect of its row stands for a step.
   *
   * @param rows the rows of the steps behind it, to which its own is added
   */
  private static boolean isCovered(Work work, Set<Object> rows) {
    return work instanceof Apply(var effect)
        && Plan.ownRow(effect).map(row -> !rows.add(row)).orElse(false)
        && Plan.isCoveredByLater(effect);
  }

  /** Names those that share a task: of one partition key, or on one shared item. */
  private static String home(String partition, Work work) {
    return switch (work) {
      case Apply(var effect) -> Plan.sharedItem(effect).map(Key::toString).orElse(partition);
      case Unreadable _ -> partition;
    };
  }

  /** Names those that run one after the other: of one row, or all that share a task. */
  private static String order(String home, Work work) {
    return switch (work) {
      case Apply(var effect) -> Plan.ownRow(effect).map(Object::toString).orElse(home);
      case Unreadable _ -> home;
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

  /** Gives each task the steps of some homes. */
  private Collection<Task> share(List<Step> steps, AtomicInteger refusals) {
    // Two counters, because a post has an effect of each kind, which would split the tasks in two.
    Map<String, Integer> taskOfShared = new HashMap<>();
    Map<String, Integer> taskOfOther = new HashMap<>();
    Map<Integer, Task> tasks = new LinkedHashMap<>();
    for (var step : steps) {
      var taskOf = step.isShared() ? taskOfShared : taskOfOther;
      int number = taskOf.computeIfAbsent(step.home, _ -> taskOf.size() % concurrency.atOnce());
      tasks.computeIfAbsent(number, _ -> new Task(refusals)).left.add(step);
    }
    return tasks.values();
  }

  /** The steps of some homes. */
  private final class Task implements Runnable {
    /** The place of a task that has nothing left. */
    static final int NOWHERE = Integer.MAX_VALUE;

    private final List<Step> left = new ArrayList<>();

    /** Steps of a group that failed, to be tried one by one. */
    private final Set<Step> suspects = new HashSet<>();

    /** The place of the first refused step of a home. What is behind it there comes again. */
    private final Map<String, Integer> refusedAt = new HashMap<>();

    /** The steps that can never succeed. Those behind them in their order wait. */
    private final Map<Step, RuntimeException> poison = new HashMap<>();

    /** The refused calls of the batch. */
    private final AtomicInteger refusals;

    private @Nullable RuntimeException refusal;

    Task(AtomicInteger refusals) {
      this.refusals = refusals;
    }

    /** Applies what is left and waits for no failure, unless the whole table refuses. */
    @Override
    public void run() {
      for (var group = group(); !group.isEmpty(); group = group()) {
        if (refusals.get() >= REFUSALS) {
          return;
        }
        try {
          apply(group);
          left.removeAll(new HashSet<>(group));
        } catch (RuntimeException e) {
          failed(group, e);
        }
      }
    }

    private void failed(List<Step> group, RuntimeException failure) {
      var first = group.getFirst();
      boolean isRefused = first.work instanceof Apply && Failures.isRetryable(failure);
      if (isRefused) {
        refusals.incrementAndGet();
        refusal = failure;
      }
      if (group.size() > 1) {
        suspects.addAll(group);
      } else if (isRefused) {
        refusedAt.merge(first.home, first.place, Math::min);
      } else {
        poison.put(first, failure);
      }
    }

    /** Returns the lowest place of what is left. */
    int place() {
      return left.isEmpty() ? NOWHERE : left.getFirst().place;
    }

    /**
     * Returns whether anything of a record was not applied that may succeed later. What waits only
     * for a step that can never succeed is applied once that is a dead letter.
     */
    boolean awaitsRetryAt(int place) {
      var blocked = new HashSet<String>();
      for (var step : left) {
        if (step.place != place) {
          break;
        }
        if (poison.containsKey(step)) {
          blocked.add(step.order);
        } else if (!blocked.contains(step.order)) {
          return true;
        }
      }
      return false;
    }

    Step next() {
      return left.getFirst();
    }

    RuntimeException failure() {
      return requireNonNull(poison.get(next()));
    }

    /** Leaves out the next step, which can never succeed. */
    void skip() {
      poison.remove(left.removeFirst());
    }

    /**
     * Returns the next step that may run, with those of its kind that no other step of their order
     * is before; empty when none may. Effects that were applied before a failure of their group are
     * applied again unchanged.
     */
    private List<Step> group() {
      var group = new ArrayList<Step>();
      var waiting = new HashSet<String>();
      for (var step : left) {
        boolean mayRun =
            !waiting.contains(step.order)
                && !poison.containsKey(step)
                && step.place < refusedAt.getOrDefault(step.home, NOWHERE);
        if (mayRun && group.isEmpty()) {
          group.add(step);
          if (suspects.contains(step) || step.work instanceof Unreadable) {
            return group;
          }
        } else if (mayRun && step.isLike(group.getFirst()) && !suspects.contains(step)) {
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
        .setCause(task.failure())
        .log("Record {} is a dead letter", sequence(record));
    var why = Failures.describe(task.failure());
    switch (task.next().work) {
      case Apply(var effect) -> {
        deadLetters.send(DeadLetter.of(Plan.nameOf(effect), why, record));
        left(record, effect);
      }
      case Unreadable _ -> {
        deadLetters.send(DeadLetter.of(DeadLetter.DECODE, why, record));
        plan.unreadableCountsOnce(record).forEach(effect -> left(record, effect));
      }
    }
  }

  /**
   * Does what follows from a dead letter. Where that fails for good, as the effect did, the record
   * would come again until the event source gives it up, each time with a further dead letter.
   */
  private void left(DynamodbStreamRecord record, Effect effect) {
    try {
      deadLettered.accept(effect);
    } catch (RuntimeException e) {
      if (Failures.isRetryable(e)) {
        throw e;
      }
      RecordFields.add(LOG.atWarn(), record)
          .setCause(e)
          .log("What follows from the dead letter of record {} failed", sequence(record));
    }
  }

  private static String sequence(DynamodbStreamRecord record) {
    return record.getDynamodb().getSequenceNumber();
  }
}
