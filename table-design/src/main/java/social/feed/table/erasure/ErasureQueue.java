package social.feed.table.erasure;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.atMost;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.sameVersion;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.WaitingErasure;
import social.feed.table.user.Users;

/**
 * Holds the pace of all erasures together. A part of an erasure runs on units that were granted
 * before. Without them the erasure waits as a row, and {@link ErasurePace} grants units to the
 * erasures that wait, one after the other, when the pace has paid for the grants before. The
 * erasure that has had the fewest units comes first, so small accounts do not wait for large ones.
 */
public final class ErasureQueue {
  /**
   * The least units of a grant. They pay for finding most parts. What a part costs is known once
   * its rows are read, and they are read again after each grant: up to 500 in a part of the walk,
   * with one read unit each, and one unit for 40 special followers of an author of posts. No grant
   * pays for a read that only finds that units are missing; there is one before each grant.
   */
  public static final long LEAST = 200;

  /**
   * The most units of a grant, or what the pace pays in {@link #LONGEST} where that is more. An
   * erasure that needs more, for a post with many likes, asks several times, and others take turns
   * with it. So another erasure waits for one grant of this size before each of its own.
   */
  private static final long MOST = 10_000;

  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** What a part costs beyond its rows: its order, the queries that find it, and its progress. */
  public static final long OF_A_PART = 10;

  /** How much of a delay of the clock the next grants make up for. */
  public static final Duration MADE_UP = Duration.ofSeconds(2);

  /** An order that is late by more is taken for lost by the next erasure that waits. */
  private static final Duration LATE = Duration.ofMinutes(10);

  private static final RecordSchema<ErasurePace> PACE = RecordSchema.of(ErasurePace.class);
  private static final Logger LOG = LoggerFactory.getLogger(ErasureQueue.class);

  private final Table table;
  private final Erasures erasures;
  private final WaitingErasures waiting;
  private final double unitsPerSecond;

  /** Creates a queue for a reader that grants nothing. */
  public ErasureQueue(Table table) {
    this(table, Double.POSITIVE_INFINITY);
  }

  /**
   * Creates the queue.
   *
   * @param unitsPerSecond the units that all erasures may use on average, infinite for no limit
   */
  public ErasureQueue(Table table, double unitsPerSecond) {
    this.table = table;
    this.erasures = new Erasures(table, new Users(table));
    this.waiting = new WaitingErasures(new TableScanner(table));
    this.unitsPerSecond = unitsPerSecond;
  }

  /** Returns the units of a part, with those that do not depend on its rows. */
  public static long ofPart(double units) {
    return OF_A_PART + (long) Math.ceil(units);
  }

  /**
   * Returns whether a part of an erasure may run: there is no pace, or enough units were granted.
   * Otherwise the erasure waits for the rest of them, from {@link #LEAST} to the most of a grant.
   * To wait costs a read unit and a write unit, and one more where the clock must be started. A
   * repetition changes nothing.
   *
   * @param units what the part costs, with what it causes behind the stream
   */
  public boolean admits(Erasure erasure, long units, Instant now) {
    long left = erasure.unitsLeft();
    if (Double.isInfinite(unitsPerSecond) || units <= left) {
      return true;
    }
    // An attempt that was given up may be late, and the same key may hold a later version by now.
    table.put(
        WaitingErasure.of(erasure, Math.clamp(units - left, LEAST, most())),
        absent().or(atMost(WaitingErasure.REVISION, erasure.revision())));
    // After the row: a clock that stops looks for rows once more after it has stopped.
    wake(now);
    return false;
  }

  private long most() {
    return Math.max(MOST, Math.round(unitsPerSecond * LONGEST.toSeconds()));
  }

  /**
   * Starts the clock where it stands still. One read unit, and one write unit where it did.
   *
   * @return whether it stood still
   */
  public boolean wake(Instant now) {
    var pace = current();
    return isStill(pace, now) && advance(pace, pace.started(now));
  }

  /** Returns whether erasures wait and the clock stands still. Two read units. */
  public boolean standsStill(Instant now) {
    return isStill(current(), now) && !waiting.first().isEmpty();
  }

  /** Returns whether no order of the clock is under way, or one is so late that it may be lost. */
  public static boolean isStill(ErasurePace pace, Instant now) {
    return !pace.isRunning() || pace.dueAt().plus(LATE).isBefore(now);
  }

  /**
   * Returns the clock, strongly consistent; {@link ErasurePace#NONE} before the first erasure. One
   * read unit.
   */
  public ErasurePace current() {
    return table.get(ErasurePace.KEY).map(PACE::mapToItem).orElse(ErasurePace.NONE);
  }

  /**
   * Orders the next grants again, unless another process has changed the clock since it was read.
   * One write unit.
   */
  public void orderAgain(ErasurePace read) {
    advance(read, read.again());
  }

  /**
   * Grants units to the erasures whose turn it is, up to 25, and orders the next grants. Stops the
   * clock when no erasure waits. A write unit for the clock; when grants are due, also a read unit
   * for each 4 KB of the first 25 rows that wait, and for each grant a read unit and two write
   * units.
   *
   * @param pace the clock as the order found it; where it has changed since, nothing is granted
   */
  public void grant(ErasurePace pace, Instant now) {
    boolean isDue = !pace.dueAt().isAfter(now);
    if (pace.isRunning() && !isDue) {
      // The order comes back later and holds up no other effect meanwhile.
      advance(pace, pace.again());
      return;
    }
    var first = waiting.first();
    if (first.isEmpty()) {
      if (pace.isRunning()) {
        advance(pace, pace.stopped());
      }
    } else if (pace.isRunning()) {
      grant(pace, first, now);
    } else {
      // The row was written while the clock stopped.
      advance(pace, pace.started(now));
    }
  }

  private void grant(ErasurePace pace, List<WaitingErasure> first, Instant now) {
    var earliest = now.minus(MADE_UP);
    var due = pace.dueAt().isAfter(earliest) ? pace.dueAt() : earliest;
    var passed = new ArrayList<WaitingErasure>();
    var granted = new LinkedHashMap<Erasure, Long>();
    for (var row : first) {
      if (due.isAfter(now)) {
        break;
      }
      passed.add(row);
      var read = erasure(row);
      if (read.isPresent() && granted.putIfAbsent(read.get(), row.units()) == null) {
        due = due.plusMillis(Math.round(row.units() / unitsPerSecond * 1_000));
      }
    }
    // First the time, then the grants: one that is cut off wastes its time and is made again.
    if (advance(pace, pace.granted(due))) {
      granted.forEach((erasure, units) -> erasures.advance(erasure, erasure.granted(units), now));
      // The same key may hold a later version of the erasure by now.
      passed.forEach(
          row -> table.delete(row.key(), equal(WaitingErasure.REVISION, row.revision())));
    }
  }

  /**
   * Returns the erasure of a row, if it still waits. One that cannot be read loses the row, so that
   * it takes no turn of another one; once it is corrected, its order counts as lost.
   */
  private Optional<Erasure> erasure(WaitingErasure row) {
    return erasures.stored(row.hash()).stream()
        .flatMap(
            item ->
                switch (item) {
                  case TableScanner.Stored(_, Erasure erasure) -> Stream.of(erasure);
                  case TableScanner.Stored _ -> Stream.of();
                  case TableScanner.Unreadable other -> {
                    LOG.warn(
                        "An erasure cannot go on: the item at {} cannot be decoded", other.key());
                    yield Stream.of();
                  }
                })
        .filter(erasure -> erasure.revision() == row.revision())
        .findFirst();
  }

  /** Returns false when another process has changed the clock since it was read. */
  private boolean advance(ErasurePace read, ErasurePace next) {
    return table.put(next, sameVersion(ErasurePace.REVISION, read.revision())).isDone();
  }
}
