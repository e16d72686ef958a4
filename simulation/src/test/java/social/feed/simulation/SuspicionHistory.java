package social.feed.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import social.feed.streams.LaneFilter;
import social.feed.streams.Multiplexer;
import social.feed.streams.plan.Lane;
import social.feed.streams.sink.EventOutbox;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.suspicion.Suspects;
import social.feed.table.suspicion.SuspicionRules;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.simulation.StreamedTable;

/**
 * A random history of follows, unfollows, blocks and dismissals, whose records reach the
 * multiplexer late, repeatedly and in any order, as redriven dead letters do. In the end each
 * account must be listed as if each of its changes had been handled once, in order.
 */
final class SuspicionHistory extends LaneHistory {
  private static final int ACTIONS = 150;
  private static final int SUBJECTS = 3;
  private static final int TARGETS = 12;
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /** Low, so that few follows reach them. */
  private static final SuspicionRules RULES =
      new SuspicionRules(4, 2, 2, 10, 2, Duration.ofDays(2), 35);

  /** What is planted, none for the sound system. */
  enum Bug {
    NONE,
    /** Some changes of quotas have no effect. */
    CHANGES_LOST,
    /** A dismissal does not note what it dismisses. */
    DISMISSAL_WITHOUT_VERSION,
    /** Blocks are not counted. */
    BLOCKS_NOT_COUNTED
  }

  private final Bug bug;
  private final FollowWriter writes;
  private final Suspects suspects;
  private final Multiplexer multiplexer;
  private final List<Person> subjects;
  private final List<Person> targets;
  private final List<DynamodbStreamRecord> waiting = new ArrayList<>();
  private final List<DynamodbStreamRecord> handled = new ArrayList<>();

  /** The quota of each account after each of its changes. */
  private final Map<String, List<FollowQuota>> changes = new LinkedHashMap<>();

  /** How many blocks answered a follow of an account, on the day of its quota. */
  private final Map<String, Long> blocked = new LinkedHashMap<>();

  /** The version up to which an operator has dismissed what was found. */
  private final Map<String, Long> dismissals = new LinkedHashMap<>();

  private final Set<String> violations = new LinkedHashSet<>();

  SuspicionHistory(StreamedTable table, long seed, Bug bug) {
    super(table, seed, START);
    this.bug = bug;
    this.writes =
        new FollowWriter(sound, 5_000, 5_000, new FollowRateLimit(1_000, 1_000, Duration.ZERO));
    this.suspects = new Suspects(sound);
    this.multiplexer = multiplexer(sound, PLAN.with(RULES), EventOutbox.NONE);
    this.subjects = people("subject", SUBJECTS);
    this.targets = people("target", TARGETS);
  }

  private List<Person> people(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> world.user(name + i)).toList();
  }

  @Override
  Set<String> run() {
    for (int i = 0; i < ACTIONS; i++) {
      act();
      if (chance(6)) {
        deliver();
      }
    }
    while (!waiting.isEmpty()) {
      deliver();
    }
    // The multiplexer's own writes come back through the stream.
    deliver();
    // Everything may come again, as from redriven dead letters.
    Collections.shuffle(handled, random);
    handle(List.copyOf(handled));
    subjects.forEach(this::check);
    return violations;
  }

  private void act() {
    var subject = subjects.get(random.nextInt(SUBJECTS));
    var target = targets.get(random.nextInt(TARGETS));
    var now = Timestamps.now(clock);
    switch (random.nextInt(9)) {
      case 0, 1, 2, 3 ->
          change(subject, () -> writes.follow(Follow.of(subject.id(), target.id(), now)));
      case 4, 5 -> change(subject, () -> writes.leave(subject.id(), target.id(), false, now));
      case 6 -> block(subject, target);
      case 7 -> clock.advance(Duration.ofHours(random.nextInt(6)));
      default -> {
        if (chance(3)) {
          dismiss(subject, now);
        }
      }
    }
  }

  private void change(Person subject, Runnable action) {
    change(subject, 0, action);
  }

  /**
   * Notes the quota after an action.
   *
   * @param answers how many follows the action answers by blocks
   */
  private void change(Person subject, long answers, Runnable action) {
    var before = world.quotas.of(subject.id());
    action.run();
    var after = world.quotas.of(subject.id());
    if (after.version() == before.version()) {
      return;
    }
    changes.computeIfAbsent(subject.id(), _ -> new ArrayList<>()).add(after);
    boolean isSameDay = Objects.equals(before.day(), after.day());
    long count = (isSameDay ? blocked.getOrDefault(subject.id(), 0L) : 0) + answers;
    blocked.put(subject.id(), count);
    if (count != after.blockedToday()) {
      violations.add("%s: %d blocks, counted %s".formatted(subject.id(), count, after));
    }
  }

  private void block(Person subject, Person target) {
    boolean isAnswer = world.follows.get(subject.id(), target.id()).isPresent();
    change(
        subject,
        isAnswer ? 1 : 0,
        () -> {
          target.blocks(subject);
          if (isAnswer && bug == Bug.BLOCKS_NOT_COUNTED) {
            forgetBlocks(world.quotas.of(subject.id()));
          }
        });
    target.unblocks(subject);
  }

  private void forgetBlocks(FollowQuota quota) {
    sound.putAll(
        List.of(
            new FollowQuota(
                quota.userId(),
                quota.following(),
                quota.version(),
                quota.day(),
                quota.follows(),
                quota.unfollows(),
                quota.special(),
                quota.unrelatedVersion(),
                quota.followeesHash())));
  }

  private void dismiss(Person subject, Instant now) {
    suspects.dismiss(subject.id(), now);
    if (bug == Bug.DISMISSAL_WITHOUT_VERSION) {
      suspects.get(subject.id()).ifPresent(row -> sound.putAll(List.of(withoutVersion(row))));
    }
    suspects
        .get(subject.id())
        .ifPresent(row -> dismissals.merge(row.userId(), row.version(), Math::max));
  }

  /** Returns a row as a dismissal would leave it that does not note what it dismisses. */
  static Suspect withoutVersion(Suspect row) {
    return new Suspect(
        row.userId(),
        row.score(),
        row.findings(),
        row.since(),
        row.latest(),
        row.version(),
        row.revision(),
        row.dismissedAt(),
        0,
        row.expiresAt());
  }

  /** Delivers some of the waiting records, some of them again, in any order. */
  private void deliver() {
    newRecords().stream()
        .filter(record -> LaneFilter.accepts(Lane.EFFECTS, record))
        .forEach(waiting::add);
    Collections.shuffle(waiting, random);
    var some = List.copyOf(waiting.subList(0, (waiting.size() + 1) / 2));
    waiting.subList(0, some.size()).clear();
    for (var record : some) {
      if (bug != Bug.CHANGES_LOST || !chance(3)) {
        handled.add(record);
        handle(List.of(record));
      }
      if (chance(5) && !handled.isEmpty()) {
        handle(List.of(handled.get(random.nextInt(handled.size()))));
      }
    }
  }

  private void handle(List<DynamodbStreamRecord> records) {
    for (var record : records) {
      if (handled(multiplexer, List.of(record)) == 0) {
        throw new AssertionError("A record failed: " + record);
      }
    }
  }

  private void check(Person subject) {
    var expected = expected(subject);
    var stored = suspects.get(subject.id()).filter(Suspect::isListed);
    if (!stored.map(Suspect::findings).equals(expected.map(Suspect::findings))
        || !stored.map(Suspect::score).equals(expected.map(Suspect::score))) {
      violations.add("%s: listed %s, expected %s".formatted(subject.id(), stored, expected));
    }
  }

  /** The row after each change once, in order, without what was dismissed. */
  private Optional<Suspect> expected(Person subject) {
    var registered = subject.account().createdAt();
    var row = Optional.<Suspect>empty();
    var before = FollowQuota.none(subject.id());
    for (var after : changes.getOrDefault(subject.id(), List.of())) {
      var findings = RULES.crossed(before, after);
      before = after;
      var day = after.day();
      if (day == null || after.version() <= dismissals.getOrDefault(subject.id(), 0L)) {
        continue;
      }
      var all = RULES.withAge(findings, registered, day);
      if (!all.isEmpty() && RULES.isListed(all)) {
        var evidence = new Evidence(subject.id(), after.version(), day, all);
        row = Optional.of(row.map(known -> known.with(evidence)).orElse(Suspect.of(evidence)));
      }
    }
    return row;
  }
}
