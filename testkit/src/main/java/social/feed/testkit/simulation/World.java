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
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.TagTrend;
import social.feed.testkit.fault.Wire;

/**
 * A few people, both lanes of the stream and the model. Several worlds share a table, one after the
 * other; they never meet, since all ids hold the world's name.
 */
final class World {
  private static final int CATCH_UP = 12;
  private static final int MAX_STEPS = 3_000;

  /** Twice what an erasure takes. */
  private static final int MAX_WALKS = 6;

  private final StreamedTable table;
  private final Subject subject;
  private final RandomGenerator random;
  private final Clock clock;
  private final Scale scale;
  private final int countsOneOf;
  private final List<Subject.Crossing> crossings = new ArrayList<>();
  private final List<String> deadLetters = new ArrayList<>();
  private final ShardNumbers numbers = new ShardNumbers();
  private final List<String> noRest = new ArrayList<>();
  final Map<String, Integer> happened = new TreeMap<>();
  final ReferenceModel truth = new ReferenceModel();
  final EventLane counts;
  final EventLane effects;
  final SimulatedUsers people;

  World(
      String name,
      StreamedTable table,
      Subject subject,
      Clock clock,
      RandomGenerator random,
      Wire ofFunction,
      Wire ofApi,
      Runnable revive,
      HistoryLog story,
      RandomGenerator ids,
      Scale scale,
      int countsOneOf) {
    this.scale = scale;
    this.countsOneOf = countsOneOf;
    this.table = table;
    this.subject = subject;
    this.random = random;
    this.clock = clock;
    var function = function(clock, ofFunction);
    this.counts =
        new EventLane(
            "counts", 1, true, subject::isCounted, function, random, happened, story, revive);
    this.effects =
        new EventLane(
            "effects",
            scale.tracks(),
            false,
            subject::hasEffects,
            function,
            random,
            happened,
            story,
            revive);
    var stores = WriteStores.of(table.over(ofApi), clock);
    var sound = WriteStores.of(table.over(Wire.SOUND), clock);
    this.people =
        new SimulatedUsers(
            name, scale.feedShards(), stores, sound, clock, ids, truth, this::entries, revive);
  }

  private StreamFunction function(Clock clock, Wire wire) {
    var sinks =
        new Subject.Sinks(
            record -> deadLetters.add("dead letter of " + record.getDynamodb().getKeys()),
            crossings::add);
    return subject.function(table.over(wire), clock, scale, sinks);
  }

  /** Brings to the lanes what the stream has. */
  boolean poll() {
    var read = table.read();
    read.stream()
        .map(numbers::ofItsShard)
        .forEach(
            tailed -> {
              counts.offer(tailed);
              effects.offer(tailed);
            });
    return !read.isEmpty();
  }

  /** Delivers a batch of one of the lanes. */
  boolean step() {
    return random.nextInt(countsOneOf) == 0
        ? counts.step() || effects.step()
        : effects.step() || counts.step();
  }

  /** Delivers effects of what the stream has by now, and says how many batches. */
  int catchUp() {
    poll();
    int steps = 0;
    while (steps < CATCH_UP && effects.step()) {
      poll();
      steps++;
    }
    return steps;
  }

  /** Delivers everything, and what comes of it. */
  void settle() {
    for (int steps = 0; steps < MAX_STEPS; steps++) {
      if (!step() && !poll()) {
        return;
      }
    }
    noRest.add("no rest after " + MAX_STEPS + " batches");
  }

  /** Lets the alarm of an erasure ring, and again for each walk that found something. */
  void endErasure(String user) {
    for (int walk = 0; walk < MAX_WALKS && people.rings(user); walk++) {
      settle();
    }
  }

  /** Where the table differs from the model. */
  List<String> violations() {
    var found = new ArrayList<>(noRest);
    found.addAll(deadLetters);
    var feeds = new HomeFeeds(table.over(Wire.SOUND));
    var audit = new Audit(truth, rows().toList(), people.ids(), feeds, clock.instant());
    found.addAll(audit.violations(scale, crossings));
    var since = TagTrend.oldest(clock.instant(), TrendingTags.HALF_LIFE);
    found.addAll(new RankAudit(truth, rows().toList(), people.tag(), since).violations());
    found.addAll(misplaced());
    return found;
  }

  /** Rows that are not where in the indexes they ask to be. */
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
    Arrays.asList(names).forEach(people::registers);
  }
}
