package social.feed.testkit.simulation;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.TagTrend;
import social.feed.testkit.fault.Wire;

/**
 * A few users, both lanes of the stream and the model. Several worlds share a table, one after the
 * other. They do not interact, because each id contains the name of its world.
 */
final class World {
  private static final int CATCH_UP = 12;
  private static final int MAX_STEPS = 3_000;

  /** Twice the sweeps that an erasure takes. */
  private static final int MAX_PASSES = 6;

  private final StreamedTable table;
  private final Subject subject;
  private final RandomGenerator random;
  private final Clock clock;
  private final Scale scale;
  private final int countsOneIn;
  private final List<Subject.Crossing> crossings = new ArrayList<>();
  private final List<String> deadLetters = new ArrayList<>();
  private final ShardNumbers numbers = new ShardNumbers();
  private final CommitOrder order = new CommitOrder();
  private final List<String> unsettled = new ArrayList<>();
  final Map<String, Integer> happened = new TreeMap<>();
  final ReferenceModel model = new ReferenceModel();
  final EventLane counts;
  final EventLane effects;
  final SimulatedUsers users;

  World(
      String name,
      StreamedTable table,
      Subject subject,
      Clock clock,
      RandomGenerator random,
      Wire functionWire,
      Wire apiWire,
      Runnable restart,
      HistoryLog log,
      RandomGenerator ids,
      Scale scale,
      int countsOneIn) {
    this.scale = scale;
    this.countsOneIn = countsOneIn;
    this.table = table;
    this.subject = subject;
    this.random = random;
    this.clock = clock;
    // The clock of each world starts again, and the sweep of another world would lie ahead.
    table.over(Wire.SOUND).delete(ErasureSweep.KEY);
    var function = function(clock, functionWire);
    this.counts =
        new EventLane(
            "counts", 1, true, subject::isCounted, function, random, happened, log, restart);
    this.effects =
        new EventLane(
            "effects",
            scale.tracks(),
            false,
            subject::hasEffects,
            function,
            random,
            happened,
            log,
            restart);
    var stores = WriteStores.of(table.over(apiWire), clock);
    var direct = WriteStores.of(table.over(Wire.SOUND), clock);
    this.users =
        new SimulatedUsers(
            name, scale.feedShards(), stores, direct, clock, ids, model, this::entries, restart);
  }

  private StreamFunction function(Clock clock, Wire wire) {
    var sinks =
        new Subject.Sinks(
            record -> deadLetters.add("dead letter of " + record.getDynamodb().getKeys()),
            crossings::add);
    return subject.function(table.over(wire), clock, scale, sinks);
  }

  /**
   * Reads new records from the stream and offers them to both lanes.
   *
   * @return whether there were new records
   */
  boolean poll() {
    var read = table.read();
    read.forEach(tailed -> order.note(tailed.record()));
    read.stream()
        .map(numbers::withShardPrefix)
        .forEach(
            tailed -> {
              counts.offer(tailed);
              effects.offer(tailed);
            });
    return !read.isEmpty();
  }

  /**
   * Delivers one batch of one lane.
   *
   * @return whether a batch was ready
   */
  boolean step() {
    return random.nextInt(countsOneIn) == 0
        ? counts.step() || effects.step()
        : effects.step() || counts.step();
  }

  /**
   * Delivers the effects of all records so far, in a limited number of batches.
   *
   * @return the number of batches
   */
  int catchUp() {
    poll();
    int steps = 0;
    while (steps < CATCH_UP && effects.step()) {
      poll();
      steps++;
    }
    return steps;
  }

  /** Delivers all records and all records that follow from them. */
  void settle() {
    for (int steps = 0; steps < MAX_STEPS; steps++) {
      if (!step() && !poll()) {
        return;
      }
    }
    unsettled.add("still work after " + MAX_STEPS + " batches");
  }

  /** Runs sweeps as of a day later, until one finds no row of an erased account. */
  void endErasure(String user) {
    for (int pass = 0; pass < MAX_PASSES && users.waitsForSweep(user); pass++) {
      users.wakesSweep(clock.instant().plus(Retention.ERASURE_REST));
      settle();
    }
  }

  /** Runs a sweep next to everything else; it is too early for a proof. */
  void sweep() {
    users.wakesSweep(clock.instant());
  }

  /** Returns the differences between the table and the model, without order. */
  List<String> violations() {
    var found = new ArrayList<>(unsettled);
    found.addAll(deadLetters);
    var feeds = new HomeFeeds(table.over(Wire.SOUND));
    var audit = new Audit(model, order, rows().toList(), users.ids(), feeds, clock.instant());
    found.addAll(audit.violations(scale, crossings));
    var since = TagTrend.oldest(clock.instant(), TrendingTags.HALF_LIFE);
    found.addAll(new RankAudit(model, rows().toList(), users.tag(), since).violations());
    found.addAll(misplaced());
    return found;
  }

  /** Returns the items whose index attributes differ from those that their row requires. */
  private List<String> misplaced() {
    return table.items().stream()
        .filter(item -> item.containsKey(RowKind.ATTRIBUTE))
        .filter(item -> !KeyAttributes.misplaced(item, RowCodec.decode(item)).isEmpty())
        .map(item -> "misplaced in an index: " + item)
        .toList();
  }

  private List<FeedEntry> entries(String reader, String author) {
    return rows()
        .filter(FeedEntry.class::isInstance)
        .map(FeedEntry.class::cast)
        .filter(entry -> entry.readerId().equals(reader) && entry.authorId().equals(author))
        .toList();
  }

  private Stream<Row> rows() {
    return table.items().stream()
        .filter(item -> item.containsKey(RowKind.ATTRIBUTE))
        .map(RowCodec::decode);
  }

  void register(String... names) {
    Arrays.asList(names).forEach(users::registers);
  }

  /**
   * Makes sequence numbers of different shards incomparable, as those of the service are: the
   * numbers of a child shard become lower than those of its parent. The engine takes its numbers
   * from one counter, which would hide comparisons across shards.
   */
  private static final class ShardNumbers {
    private static final int HIGHEST = 9;
    private final List<String> shards = new ArrayList<>();

    Tailed withShardPrefix(Tailed tailed) {
      if (!shards.contains(tailed.shardId())) {
        shards.add(tailed.shardId());
      }
      var record = tailed.record().getDynamodb();
      int first = HIGHEST - shards.indexOf(tailed.shardId()) % HIGHEST;
      record.setSequenceNumber(first + record.getSequenceNumber());
      return tailed;
    }
  }
}
