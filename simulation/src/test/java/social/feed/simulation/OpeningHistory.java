package social.feed.simulation;

import static java.util.Objects.requireNonNull;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import social.feed.streams.Multiplexer;
import social.feed.streams.sink.EventOutbox;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.RowKind;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.suspicion.OpeningSketch;
import social.feed.table.suspicion.Suspects;
import social.feed.table.suspicion.SuspicionRules;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.simulation.StreamedTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * New accounts that begin to follow, some in the same order as others, while operators dismiss some
 * of them. The records reach the multiplexer late, repeatedly and in any order. In the end exactly
 * the accounts of large enough rings must be listed, without those that were dismissed.
 */
final class OpeningHistory extends LaneHistory {
  private static final int LEAST = 3;

  /** Too few, enough, and twice enough. */
  private static final List<Integer> RINGS = List.of(LEAST - 1, LEAST + 1, 2 * LEAST);

  private static final int LONERS = 2;
  private static final String QUOTA = FollowQuota.key("x").sort();

  /** Rows must not have expired. */
  private static final Instant START = Instant.parse("2029-03-01T12:00:00Z");

  /** Nothing but the order of follows is suspicious. */
  private static final SuspicionRules RULES =
      new SuspicionRules(MANY, MANY, MANY, 10, LEAST, Duration.ofDays(7), 50);

  /** What is planted, none for the sound system. */
  enum Bug {
    NONE,
    /** Some changes of quotas have no effect. */
    CHANGES_LOST,
    /** How an account began is not kept, so no later one is compared with it. */
    OPENINGS_NOT_STORED,
    /** Only the last account of a ring is listed. */
    OTHERS_NOT_LISTED,
    /** A dismissal does not note what it dismisses. */
    DISMISSAL_WITHOUT_VERSION
  }

  private final Bug bug;
  private final FollowWriter writes;
  private final Suspects suspects;
  private final Multiplexer multiplexer;
  private final Instant day;
  private final List<List<Person>> rings = new ArrayList<>();

  /** Whom each account follows, in this order. */
  private final Map<String, List<String>> openings = new LinkedHashMap<>();

  private final List<DynamodbStreamRecord> waiting = new ArrayList<>();
  private final List<DynamodbStreamRecord> handled = new ArrayList<>();
  private final Set<String> dismissed = new HashSet<>();
  private final List<String> violations = new ArrayList<>();

  OpeningHistory(StreamedTable table, long seed, Bug bug) {
    super(table, seed, START);
    this.bug = bug;
    this.writes =
        new FollowWriter(sound, MANY, MANY, new FollowRateLimit(MANY, MANY, Duration.ZERO));
    this.suspects = new Suspects(sound);
    var wire =
        bug == Bug.OPENINGS_NOT_STORED
            ? new PlantedWires.Without(OpeningHistory::isOpening)
            : Wire.SOUND;
    this.multiplexer = multiplexer(table.over(wire), PLAN.with(RULES), EventOutbox.NONE);
    this.day = Timestamps.now(clock).truncatedTo(ChronoUnit.DAYS);
    for (int size : RINGS) {
      var followees = followees("of" + size);
      var ring = IntStream.range(0, size).mapToObj(i -> world.user("ring" + size + "x" + i));
      rings.add(ring.toList());
      rings.getLast().forEach(person -> begin(person, followees));
    }
    var common = followees("common");
    for (int i = 0; i < LONERS; i++) {
      var own = new ArrayList<>(common.subList(0, common.size() - 1));
      Collections.shuffle(own, random);
      own.add(common.getLast());
      rings.add(List.of(world.user("loner" + i)));
      begin(rings.getLast().getFirst(), List.copyOf(own));
    }
  }

  private static boolean isOpening(Map<String, AttributeValue> item) {
    return requireNonNull(item.get(RowKind.ATTRIBUTE)).s().equals(RowKind.FOLLOW_OPENING.name());
  }

  /** Nothing reads the followed accounts, so only the last one exists. */
  private List<String> followees(String name) {
    var last = world.user(name).id();
    return IntStream.rangeClosed(1, OpeningSketch.LENGTH)
        .mapToObj(i -> i == OpeningSketch.LENGTH ? last : last + "-" + i)
        .toList();
  }

  /** Writes all follows of an opening but the last one, at once. */
  private void begin(Person person, List<String> followees) {
    openings.put(person.id(), followees);
    int before = followees.size() - 1;
    sound.putAll(
        followees.subList(0, before).stream()
            .map(followee -> Follow.of(person.id(), followee, Timestamps.now(clock)))
            .toList());
    sound.putAll(
        List.of(
            new FollowQuota(
                person.id(), before, before, day, before, 0, null, null, null, null, null)));
  }

  @Override
  List<String> run() {
    var people = new ArrayList<>(openings.keySet());
    Collections.shuffle(people, random);
    for (var id : people) {
      var last = openings.getOrDefault(id, List.of()).getLast();
      writes.follow(Follow.of(id, last, Timestamps.now(clock)));
      if (chance(2)) {
        deliver();
      }
    }
    deliver();
    while (!waiting.isEmpty()) {
      deliver();
    }
    check();
    // Everything may come again, as from redriven dead letters, also for an account that is gone.
    var gone = rings.get(1).getFirst().id();
    new Erasures(sound, world.users).begin(gone, Timestamps.now(clock));
    sound.delete(Suspect.key(gone));
    Collections.shuffle(handled, random);
    List.copyOf(handled).forEach(this::handle);
    dismissed.add(gone);
    check();
    return violations;
  }

  /** Delivers some of the waiting changes of quotas, some of them again, in any order. */
  private void deliver() {
    newRecords().stream()
        .filter(record -> key(record, BaseTable.SK).equals(QUOTA))
        .forEach(waiting::add);
    Collections.shuffle(waiting, random);
    var some = List.copyOf(waiting.subList(0, (waiting.size() + 1) / 2));
    waiting.subList(0, some.size()).clear();
    for (var record : some) {
      if (bug != Bug.CHANGES_LOST || !chance(3)) {
        handled.add(record);
        handle(record);
      }
      any(handled).filter(_ -> chance(9)).ifPresent(this::handle);
      any(listed()).filter(_ -> chance(9)).ifPresent(this::dismiss);
    }
  }

  private void handle(DynamodbStreamRecord record) {
    var before = listed();
    if (handled(multiplexer, List.of(record)) == 0) {
      throw new AssertionError("A record failed: " + record);
    }
    if (bug == Bug.OTHERS_NOT_LISTED) {
      var owner = key(record, BaseTable.PK);
      listed().stream()
          .filter(id -> !before.contains(id))
          .map(Suspect::key)
          .filter(key -> !key.partition().equals(owner))
          .forEach(sound::delete);
    }
  }

  private static String key(DynamodbStreamRecord record, String attribute) {
    return requireNonNull(record.getDynamodb().getKeys().get(attribute)).getS();
  }

  private Set<String> listed() {
    return suspects.getAll(openings.keySet()).values().stream()
        .filter(Suspect::isListed)
        .map(Suspect::userId)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void dismiss(String userId) {
    suspects.dismiss(userId, Timestamps.now(clock));
    if (bug == Bug.DISMISSAL_WITHOUT_VERSION) {
      suspects
          .get(userId)
          .ifPresent(row -> sound.putAll(List.of(SuspicionHistory.withoutVersion(row))));
    }
    dismissed.add(userId);
  }

  private void check() {
    for (var ring : rings) {
      var value = ring.size() < 2 * LEAST ? LEAST : 2 * LEAST;
      var expected =
          ring.size() < LEAST
              ? Optional.<SuspicionFinding>empty()
              : Optional.of(SuspicionFinding.of(SuspicionReason.SAME_ORDER, value, LEAST));
      for (var person : ring) {
        check(person.id(), expected.filter(_ -> !dismissed.contains(person.id())));
      }
    }
  }

  private void check(String userId, Optional<SuspicionFinding> expected) {
    var stored = suspects.get(userId).filter(Suspect::isListed);
    if (!stored.map(row -> row.findings().getFirst()).equals(expected)) {
      violations.add("%s: listed %s, expected %s".formatted(userId, stored, expected));
    }
    var followees = openings.getOrDefault(userId, List.of());
    long expiresAt = day.plus(Retention.OPENINGS).getEpochSecond();
    for (var hash : OpeningSketch.of(followees)) {
      var opening = new FollowOpening(hash, userId, followees.size(), day, expiresAt);
      if (!sound.get(opening.key()).map(RowCodec::decode).equals(Optional.of(opening))) {
        violations.add("%s is absent, or otherwise".formatted(opening));
      }
    }
  }
}
