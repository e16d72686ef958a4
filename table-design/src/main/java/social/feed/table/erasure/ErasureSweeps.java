package social.feed.table.erasure;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.sameVersion;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.PendingErasure;
import social.feed.table.user.Users;

/**
 * Stores the sweeps of the table that all pending erasures share: who waits for one, when the next
 * begins, and how far it is. One sweep runs at a time. An erasure takes part in a sweep only if it
 * waited before the sweep began, so the whole table is searched for its account.
 */
public final class ErasureSweeps {
  /** The longest period, so that an erasure ends within a month. */
  public static final Duration MAX_PERIOD = Duration.ofDays(7);

  /** The most erasures of a sweep. Those that come later wait for the next one. */
  public static final int MAX_PENDING = 50_000;

  /** How often a running sweep is continued in case its last order was lost. */
  private static final Duration WATCH = Duration.ofDays(1);

  /** Erasures that are concluded at a time. */
  private static final int AT_ONCE = 25;

  private static final RecordSchema<ErasureSweep> SWEEP = RecordSchema.of(ErasureSweep.class);
  private static final Logger LOG = LoggerFactory.getLogger(ErasureSweeps.class);

  private final Table table;
  private final Erasures erasures;
  private final PartitionQueries partitions;
  private final Settings settings;

  /**
   * When sweeps run, and how fast erasures proceed.
   *
   * @param every the time from the beginning of one sweep to the next
   * @param rest how long before a sweep an erasure must have waited, for the sweep to be a proof
   * @param unitsPerSecond the read units that the scan may use on average
   * @param removalUnitsPerSecond the units that the parts of all erasures before the sweep may use
   *     together on average, with what they cause behind the stream
   * @param pushedTo the most followers that have a post in their feeds, from whose number on posts
   *     are pulled
   */
  public record Settings(
      Duration every,
      Duration rest,
      double unitsPerSecond,
      double removalUnitsPerSecond,
      long pushedTo) {
    public Settings {
      if (every.isNegative()
          || rest.isNegative()
          || !(unitsPerSecond > 0)
          || !(removalUnitsPerSecond > 0)) {
        throw new IllegalArgumentException(
            "A sweep needs a period and a rest of at least 0 and more than 0 units a second, not "
                + every
                + ", "
                + rest
                + ", "
                + unitsPerSecond
                + " and "
                + removalUnitsPerSecond);
      }
    }

    /** Creates settings without a limit of units before the sweep. */
    public Settings(Duration every, Duration rest, double unitsPerSecond) {
      this(every, rest, unitsPerSecond, Double.POSITIVE_INFINITY, Long.MAX_VALUE);
    }

    /** Returns the settings of a cloud, but without a limit of units. */
    public static Settings unpaced() {
      return new Settings(MAX_PERIOD, Retention.ERASURE_REST, Double.POSITIVE_INFINITY);
    }
  }

  public ErasureSweeps(Table table, Settings settings) {
    this.table = table;
    this.erasures = new Erasures(table, new Users(table));
    this.partitions = new PartitionQueries(table);
    this.settings = settings;
  }

  /**
   * Returns the current or the last sweep, strongly consistent; {@link ErasureSweep#NONE} before
   * the first. One read unit.
   */
  public ErasureSweep current() {
    return current(table);
  }

  /** As {@link #current()}, for a reader that drives no sweeps. */
  public static ErasureSweep current(Table table) {
    return table.get(ErasureSweep.KEY).map(SWEEP::mapToItem).orElse(ErasureSweep.NONE);
  }

  /**
   * Lets an erasure wait for the next sweep, unless another process has advanced it. One read unit
   * and six write units.
   *
   * @throws ThrottledException when sweeps keep beginning, or concurrent writes keep conflicting
   */
  public void join(Erasure read, Instant now) {
    var userId = read.userId();
    if (userId == null) {
      return;
    }
    table
        .retry()
        .until(
            "Wait of the erasure " + read.hash(),
            () -> {
              long number = current().number();
              var outcome =
                  table
                      .transaction()
                      .put(read.done(), equal(Erasure.REVISION, read.revision()))
                      .put(new PendingErasure(number, read.hash(), userId, now))
                      // A sweep that began meanwhile has passed a part of the table.
                      .check(ErasureSweep.KEY, sameVersion(ErasureSweep.NUMBER, number))
                      .commit();
              return outcome.isDone() || outcome.failedAt(read.key())
                  ? Optional.of(true)
                  : Optional.empty();
            });
  }

  /**
   * Sets the timer of the next sweep, unless it is set. Every erasure that waits must do this after
   * it has begun to wait. One read unit and one write unit.
   */
  public void arm(Instant now) {
    var sweep = current();
    var due = due(sweep);
    set(sweep, due.isAfter(now) ? due : now);
  }

  /**
   * Sets the timer again where it was lost, as with the record of its expiry, so that the sweep
   * continues within a day. A timer that is early starts nothing. One read unit and one write unit.
   *
   * @return whether it was lost
   */
  public static boolean armAgain(Table table, Instant now) {
    return armBy(table, now.plus(WATCH));
  }

  /**
   * Sets the timer again where it was lost, so that the lane looks at once. It sets the timer to
   * its own time where the sweep is not due. One read unit and one write unit.
   *
   * @return whether it was lost
   */
  public static boolean wakeAgain(Table table, Instant now) {
    return armBy(table, now);
  }

  private static boolean armBy(Table table, Instant due) {
    return table.put(ErasureTimer.ofSweep(current(table).number(), due), absent()).isDone();
  }

  private Instant due(ErasureSweep sweep) {
    var regular = sweep.startedAt().plus(settings.every());
    var earliest = sweep.dueAt();
    return earliest == null || sweep.isUnderWay() || earliest.isBefore(regular)
        ? regular
        : earliest;
  }

  /**
   * Returns a sweep after its end. The next one begins after a rest: one that began earlier could
   * prove no erasure for which this one found a row.
   */
  public ErasureSweep ended(ErasureSweep sweep, Instant now) {
    return sweep.ended(now.plus(settings.rest()));
  }

  private void set(ErasureSweep sweep, Instant at) {
    table.put(ErasureTimer.ofSweep(sweep.number(), at), absent());
  }

  /**
   * Begins the next sweep if it is due and an erasure waits. Orders the current part of a running
   * sweep again, in case the last order was lost. Sets the timer again as long as there is work.
   * One read unit and two write units, and one read unit for each 4 KB of the waiting erasures.
   */
  public void wake(Instant now) {
    var sweep = current();
    if (sweep.isUnderWay()) {
      start(sweep, sweep.again(), now);
    } else {
      lastPending().ifPresent(last -> wake(sweep, last, now));
    }
  }

  private void wake(ErasureSweep ended, String lastPending, Instant now) {
    if (due(ended).isAfter(now)) {
      set(ended, due(ended));
    } else {
      start(ended, ended.begun(lastPending, now), now);
    }
  }

  /** The timer comes first, so that a lost order is given again. */
  private void start(ErasureSweep read, ErasureSweep next, Instant now) {
    set(read, now.plus(settings.every().compareTo(WATCH) < 0 ? settings.every() : WATCH));
    advance(read, next);
  }

  /** The sort key of the last erasure that waits, of at most {@link #MAX_PENDING}. */
  private Optional<String> lastPending() {
    return partitions
        .keys(Keys.ERASURE_REGISTRY, Keys.PENDING_ERASURES)
        .flatMap(List::stream)
        .limit(MAX_PENDING)
        .map(Key::sort)
        .reduce((_, later) -> later);
  }

  /**
   * Returns the erasures that take part in a sweep, by the ids of their accounts. They stay the
   * same until the scan ends. A row that cannot be decoded is left out and logged, and its erasure
   * is noted as one that the sweep cannot prove, also if the row is corrected meanwhile. One read
   * unit for each 4 KB, some 17 erasures. For each row that cannot be decoded, a read unit and a
   * write unit more.
   */
  public Map<String, PendingErasure> members(ErasureSweep sweep) {
    var members = new HashMap<String, PendingErasure>();
    for (var item :
        TableScanner.read(
            partitions.range(Keys.ERASURE_REGISTRY, Keys.PENDING_ERASURES, sweep.lastPending()))) {
      switch (item) {
        case TableScanner.Stored(_, PendingErasure pending) ->
            members.put(pending.userId(), pending);
        case TableScanner.Stored _ -> {}
        case TableScanner.Unreadable other -> {
          warn(other);
          PendingErasure.hashAt(other.key()).ifPresent(erasures::noteFound);
        }
      }
    }
    return members;
  }

  private static void warn(TableScanner.Unreadable item) {
    LOG.warn("An erasure cannot end: the item at {} cannot be decoded", item.key());
  }

  /**
   * Notes that the current sweep has found a row that names the account of an erasure. Must come
   * before the row is removed. An erasure that cannot be decoded cannot have the note. Then the
   * erasure waits from now on, so this sweep does not prove its end, also if it is corrected
   * meanwhile. One read unit, and one write unit for the first find, or for each part with a find
   * where the erasure cannot be decoded.
   *
   * @throws ThrottledException when concurrent writes keep changing the erasure
   */
  public void noteFound(PendingErasure pending, Instant now) {
    if (!erasures.noteFound(pending.hash())) {
      table.put(
          new PendingErasure(pending.sweep(), pending.hash(), pending.userId(), now), present());
    }
  }

  /**
   * Returns whether a sweep that finds nothing proves the end of an erasure: when it began, no
   * request and no stream record that can name the account was under way any more.
   */
  public boolean mayProve(ErasureSweep sweep, PendingErasure pending) {
    return !sweep.startedAt().isBefore(pending.since().plus(settings.rest()));
  }

  /** Notes the progress of a sweep, unless another process did since it was read. */
  public void advance(ErasureSweep read, ErasureSweep next) {
    table.put(next, sameVersion(ErasureSweep.REVISION, read.revision()));
  }

  /** Returns when the scan may continue after a part. */
  public Instant after(double units, Instant now) {
    return now.plusMillis(Math.round(units / settings.unitsPerSecond() * 1_000));
  }

  /**
   * Concludes a sweep for up to 25 erasures after its scan: an erasure ends if the sweep is a proof
   * and found nothing, and other systems have nothing either. Otherwise it waits for the next
   * sweep. Two read units and up to eight write units for each. One that cannot be decoded, or
   * whose row cannot be, is logged and stays as it is, for up to two read units.
   *
   * @param traces asked for each erasure that would end
   * @param goesOn whether there is time for one more; those that are left are concluded by the next
   *     part, which begins with one in any case
   * @return whether none was left, apart from those that cannot be decoded
   */
  public boolean conclude(
      ErasureSweep sweep, ErasureTraces traces, Instant now, BooleanSupplier goesOn) {
    var page = pending(sweep, null);
    while (!page.isEmpty()) {
      boolean isBegun = false;
      for (var item : page) {
        if (isBegun && !goesOn.getAsBoolean()) {
          return false;
        }
        isBegun |= conclude(sweep, item, traces, now);
      }
      if (isBegun) {
        return false;
      }
      page = pending(sweep, page.getLast().key().sort());
    }
    return true;
  }

  /** Returns the next rows that take part in a sweep. */
  private List<TableScanner.Item> pending(ErasureSweep sweep, @Nullable String after) {
    return TableScanner.read(
            partitions.after(Keys.ERASURE_REGISTRY, Keys.PENDING_ERASURES, after, AT_ONCE))
        .stream()
        .takeWhile(item -> sweep.includes(item.key()))
        .toList();
  }

  /** Returns whether the erasure of a row can be concluded. */
  private boolean conclude(
      ErasureSweep sweep, TableScanner.Item row, ErasureTraces traces, Instant now) {
    return switch (row) {
      case TableScanner.Stored(_, PendingErasure pending) -> {
        var erasure = erasures.stored(pending.hash());
        if (erasure.orElse(null) instanceof TableScanner.Unreadable other) {
          warn(other);
          yield false;
        }
        conclude(sweep, pending, erasure.flatMap(ErasureSweeps::resting), traces, now);
        yield true;
      }
      case TableScanner.Stored _ -> false;
      case TableScanner.Unreadable other -> {
        warn(other);
        yield false;
      }
    };
  }

  private static Optional<Erasure> resting(TableScanner.Item item) {
    return item instanceof TableScanner.Stored(_, Erasure read)
            && read.step() == ErasureStep.RESTING
        ? Optional.of(read)
        : Optional.empty();
  }

  /** A write that fails met another process; the next part concludes what is left. */
  private void conclude(
      ErasureSweep sweep,
      PendingErasure pending,
      Optional<Erasure> resting,
      ErasureTraces traces,
      Instant now) {
    var transaction = table.transaction().delete(pending.key(), present());
    resting.ifPresent(
        read -> {
          boolean isProven =
              mayProve(sweep, pending) && !read.traced() && !traces.areLeft(pending.userId());
          var next = read.swept(isProven, now);
          transaction.put(next, equal(Erasure.REVISION, read.revision()));
          if (!isProven) {
            var since = read.traced() ? now : pending.since();
            transaction.put(
                new PendingErasure(sweep.number(), pending.hash(), pending.userId(), since));
          }
        });
    transaction.commit();
  }
}
