package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.dynamodb.DynamodbAttributeValueTransformer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Key;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.TagTrend;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A few users, the model of their actions, and the comparison of the model with the table. Several
 * worlds share a table, one after the other. They do not interact, because each id contains the
 * name of its world.
 */
final class ModeledWorld {
  /** The sweeps that an erasure takes. */
  private static final int PASSES = 3;

  private static final int MAX_PASSES = 2 * PASSES;

  private final StreamedTable table;
  private final Clock clock;
  private final Scale scale;
  private final List<Subject.Crossing> crossings = new ArrayList<>();
  private final List<String> deadLetters = new ArrayList<>();
  private final MediaInMemory media = new MediaInMemory();
  private final Set<Key> expired = new HashSet<>();
  private final CommitOrder order = new CommitOrder();
  private final List<String> unsettled = new ArrayList<>();
  private final List<String> drift = new ArrayList<>();
  final ReferenceModel model = new ReferenceModel();
  final SimulatedUsers users;

  /**
   * @param api the table as the users' requests reach it
   * @param restart restarts the API after a crash
   * @param ids chooses the ids of posts and comments
   */
  ModeledWorld(
      String name,
      StreamedTable table,
      Table api,
      Clock clock,
      Runnable restart,
      RandomGenerator ids,
      Scale scale) {
    this.table = table;
    this.clock = clock;
    this.scale = scale;
    var direct = table.over(Wire.SOUND);
    // The clock of each world starts again, and the rows of another world would lie ahead.
    direct.delete(ErasureSweep.KEY);
    direct.delete(ErasurePace.KEY);
    this.users =
        new SimulatedUsers(
            name,
            scale.feedShards(),
            WriteStores.of(api, clock),
            WriteStores.of(direct, clock),
            clock,
            ids,
            model,
            this::entries,
            media,
            restart);
  }

  /** Returns the sinks of the function, which the comparison reads. */
  Subject.Sinks sinks() {
    return new Subject.Sinks(
        record -> deadLetters.add("dead letter of " + record.getDynamodb().getKeys()),
        crossings::add,
        media);
  }

  void register(String... names) {
    Arrays.asList(names).forEach(users::registers);
  }

  /** Notes a record; records come in the order of their writes. */
  void note(DynamodbStreamRecord record) {
    order.note(record);
    if ("REMOVE".equals(record.getEventName()) && expired.remove(keyOf(record))) {
      record.setUserIdentity(
          new Identity().withType("Service").withPrincipalId("dynamodb.amazonaws.com"));
    }
  }

  private static Key keyOf(DynamodbStreamRecord record) {
    return KeyAttributes.key(
        DynamodbAttributeValueTransformer.toAttributeValueMapV2(record.getDynamodb().getKeys()));
  }

  /** Lets the store of media fail to remove objects, or no longer. */
  void failMedia(boolean fails) {
    media.fail(fails);
  }

  /** Lets the timers of removals of media expire, as TTL does. */
  void expireRemovals() {
    expire(
        rows()
            .filter(MediaRemoval.class::isInstance)
            .map(MediaRemoval.class::cast)
            .filter(MediaRemoval::isTimer)
            .map(MediaRemoval::key));
  }

  /**
   * Deletes half of what has expired, as TTL does: late, and in no order. Everything must be
   * delivered.
   */
  void expire() {
    var now = clock.instant();
    expire(
        table.items().stream()
            .filter(item -> hasExpired(item, now))
            .map(KeyAttributes::key)
            .filter(key -> key.hashCode() % 2 == 0));
  }

  private static boolean hasExpired(Map<String, AttributeValue> item, Instant now) {
    var expiry = item.get(BaseTable.TTL);
    return expiry != null && Long.parseLong(expiry.n()) < now.getEpochSecond();
  }

  private void expire(Stream<Key> rows) {
    var direct = table.over(Wire.SOUND);
    rows.toList()
        .forEach(
            key -> {
              expired.add(key);
              direct.delete(key);
            });
  }

  /**
   * Runs as many sweeps as an erasure takes, as of a day later, while the store of media still
   * fails. An erasure may end only where it has no object of the account any more.
   */
  void sweepBeforeObjectsAreRemoved(Runnable settle) {
    for (int pass = 0; pass < PASSES; pass++) {
      users.wakesSweep(clock.instant().plus(Retention.ERASURE_REST));
      settle.run();
    }
    var stored = media.mediaIds().collect(Collectors.toSet());
    for (var user : model.erased()) {
      if (!users.waitsForSweep(user) && users.filesOf(user).stream().anyMatch(stored::contains)) {
        unsettled.add("the erasure of " + user + " has ended before its objects were removed");
      }
    }
  }

  /** Adds a violation: the lanes never came to an end. */
  void neverSettles(String why) {
    unsettled.add(why);
  }

  /** Runs sweeps as of a day later, until one finds no row of an erased account. */
  void endErasure(String user, Runnable settle) {
    for (int pass = 0; pass < MAX_PASSES && users.waitsForSweep(user); pass++) {
      users.wakesSweep(clock.instant().plus(Retention.ERASURE_REST));
      settle.run();
    }
  }

  /** Runs a sweep next to everything else; it is too early for a proof. */
  void sweep() {
    users.wakesSweep(clock.instant());
  }

  /** Adds what verify reports now as violations. Everything must be delivered. */
  void inspect(Subject subject) {
    var now = Clock.fixed(clock.instant(), ZoneOffset.UTC);
    subject.drift(table.scannedInCopy(), now, scale).stream()
        .map(sentence -> HistoryResult.VERIFY + sentence)
        .forEach(drift::add);
  }

  /** Returns the differences between the table and the model, without order. */
  List<String> violations() {
    var found = new ArrayList<>(unsettled);
    found.addAll(deadLetters);
    found.addAll(drift);
    var feeds = new HomeFeeds(table.over(Wire.SOUND));
    var rows = rows().toList();
    var audit = new Audit(model, order, rows, users.ids(), feeds, clock.instant());
    found.addAll(audit.violations(scale, crossings));
    var since = TagTrend.oldest(clock.instant(), TrendingTags.HALF_LIFE);
    found.addAll(new RankAudit(model, rows, users.tag(), since).violations());
    found.addAll(misplaced());
    found.addAll(
        new MediaAudit(table.items(), media.mediaIds().collect(Collectors.toSet())).violations());
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
}
