package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import social.feed.engine.eventsource.Checkpoints;
import social.feed.engine.eventsource.EventSource;
import social.feed.engine.eventsource.EventSourceMapping;
import social.feed.engine.eventsource.EventSourceMappingBuilder;
import social.feed.engine.eventsource.EventSourceSettings;
import social.feed.engine.eventsource.RetryDelay;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.engine.eventsource.Subscription;
import social.feed.streams.celebrity.CelebrityFlagChanged;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.RemoveMediaAgainHandler.RemoveMediaAgain;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.trace.Tracing;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Key;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.Row;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * A table with the multiplexer behind its stream, in both lanes as deployed. Dead letters are kept
 * in memory; time stands still, so windows end with their shard only.
 */
final class StreamHarness implements AutoCloseable {
  static final int NEWEST = 5;

  /** Followers that make a celebrity. */
  static final int CELEBRITY = 10;

  static final Duration NOTIFICATIONS_LIVE = Duration.ofDays(90);
  static final Plan PLAN = new Plan(NOTIFICATIONS_LIVE);

  private static final CelebrityRule NO_CELEBRITIES = new CelebrityRule(Long.MAX_VALUE / 10);
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(2);

  /** Wraps the function of a lane. */
  @FunctionalInterface
  interface Around {
    StreamFunction around(Lane lane, StreamFunction function, Table table);
  }

  final TestTable table = TestTable.start();
  final SeedWorld world = new SeedWorld(table.table(), table.clock());
  final List<CelebrityFlagChanged> events = new CopyOnWriteArrayList<>();
  final List<DeadLetter> deadLetters = new CopyOnWriteArrayList<>();

  /** The removals of objects that were reported as stuck. */
  final List<MediaRemoval> stuckRemovals = new CopyOnWriteArrayList<>();

  /** Intercepts calls of the multiplexer to the table, and no calls of the world. */
  final RequestHook between = new RequestHook();

  private final DynamoDbClient client;
  private final DynamoDbStreamsClient streams = table.newStreamsClient();
  private final Checkpoints checkpoints = Checkpoints.inMemory();
  private final Around around;
  final Table ofMultiplexer;
  final EffectHandlers handlers;
  final Multiplexer multiplexer;
  private EventSource source;

  /** What a search index has of erased accounts. */
  volatile ErasureTraces traces = ErasureTraces.NONE;

  private boolean isPaused;

  private StreamHarness(int batchSize, Around around, CelebrityRule celebrities, Wire wire) {
    this(
        batchSize,
        around,
        celebrities,
        wire,
        BatchSizes.STANDARD,
        Optional.empty(),
        new MediaFolder(Path.of("target/media")));
  }

  private StreamHarness(
      int batchSize,
      Around around,
      CelebrityRule celebrities,
      Wire wire,
      BatchSizes sizes,
      Optional<Tracing> tracing,
      MediaStore media) {
    this.around = around;
    this.client =
        table.newClient(
            Stream.concat(Stream.of(between), tracing.map(Table::traced).stream())
                .toArray(ExecutionInterceptor[]::new));
    this.ofMultiplexer =
        new Table(WiredClient.of(client, wire), table.table().name(), table.table().retry());
    this.handlers =
        new EffectHandlers(
            ofMultiplexer,
            table.clock(),
            EffectSettings.of(NEWEST, sizes, ErasureSweeps.Settings.unpaced())
                .withEvents(events::add)
                .withMedia(media)
                .withStuckRemovals(stuckRemovals::add)
                .withTraces(
                    new ErasureTraces() {
                      @Override
                      public boolean areLeft(String userId) {
                        return traces.areLeft(userId);
                      }

                      @Override
                      public ErasureTraces ofPart() {
                        return traces.ofPart();
                      }
                    }));
    this.multiplexer =
        new Multiplexer(
            ofMultiplexer, PLAN, handlers, celebrities, deadLetters::add, table.clock(), tracing);
    this.source = follow(batchSize);
  }

  static StreamHarness start() {
    return start(100, (_, function, _) -> function);
  }

  static StreamHarness start(int batchSize, Around around) {
    return new StreamHarness(batchSize, around, NO_CELEBRITIES, Wire.SOUND);
  }

  /** With a wire between the multiplexer and its table. */
  static StreamHarness startOver(Wire wire) {
    return new StreamHarness(100, (_, function, _) -> function, NO_CELEBRITIES, wire);
  }

  /** With chunks of one size, and traces that the multiplexer continues. */
  static StreamHarness startTraced(int chunk, Optional<Tracing> tracing) {
    return new StreamHarness(
        100,
        (_, function, _) -> function,
        NO_CELEBRITIES,
        Wire.SOUND,
        BatchSizes.oneByOne(chunk),
        tracing,
        new MediaFolder(Path.of("target/media")));
  }

  /** With another store than the folder of the tests. */
  static StreamHarness startWith(MediaStore media) {
    return new StreamHarness(
        100,
        (_, function, _) -> function,
        NO_CELEBRITIES,
        Wire.SOUND,
        BatchSizes.STANDARD,
        Optional.empty(),
        media);
  }

  /** With a threshold of {@value #CELEBRITY} followers. */
  static StreamHarness startWithCelebrities() {
    return new StreamHarness(
        100, (_, function, _) -> function, new CelebrityRule(CELEBRITY), Wire.SOUND);
  }

  /** Throws after a batch was handled: the response is lost and the batch comes again. */
  static Around losingResponses(long seed, double share) {
    var random = new Random(seed);
    return (_, function, _) ->
        event -> {
          var response = function.handle(event);
          boolean lost;
          synchronized (random) {
            lost = !event.getRecords().isEmpty() && random.nextDouble() < share;
          }
          if (lost) {
            throw new IllegalStateException("The response is lost");
          }
          return response;
        };
  }

  /** Returns when everything written so far has had its effects. */
  void drain() {
    source.drain(LONG_ENOUGH);
  }

  /** Delivers all records of the stream to a lane again. */
  void replay(Lane lane) {
    source.rewind(lane.name());
    drain();
  }

  /** Continues from the checkpoints with batches of another size, and ends a pause. */
  void rebatch(int batchSize) {
    source.close();
    source = follow(batchSize);
    isPaused = false;
  }

  void rollShards() {
    table.engine().rollShards();
  }

  void pause() {
    source.pause();
    isPaused = true;
  }

  boolean isPaused() {
    return isPaused;
  }

  void resume() {
    isPaused = false;
    source.resume();
  }

  /** All rows of the table. */
  Set<Row> rows() {
    var rows = new HashSet<Row>();
    new TableScanner(table.table())
        .items()
        .forEach(page -> page.forEach(item -> rows.add(((TableScanner.Stored) item).row())));
    return rows;
  }

  /** The ids of the newest posts that a reader's feed has stored. */
  List<String> feed(Person reader) {
    return world.feeds.stored(reader.id(), PageRequest.first(50)).items().stream()
        .map(FeedRef::postId)
        .toList();
  }

  static boolean writesInBulk(SdkRequest request) {
    return request instanceof BatchWriteItemRequest;
  }

  /** Whether a request writes or deletes entries of a reader's feed. */
  static boolean writes(SdkRequest request, Person reader) {
    return request instanceof BatchWriteItemRequest batch
        && batch.toString().contains("FEED#" + reader.id());
  }

  /** Lets the timers of removals of media expire, as TTL does. */
  void expireRemovals() {
    var items = new TableScanner(table.table()).items().flatMap(List::stream).toList();
    for (var item : items) {
      if (item instanceof TableScanner.Stored stored
          && stored.row() instanceof MediaRemoval timer
          && timer.isTimer()) {
        table.table().delete(timer.key());
        handlers.apply(List.of(new RemoveMediaAgain(timer)));
      }
    }
  }

  /** A redrive that reaches the table by the given client. */
  Redrive redriveOver(Table reached) {
    return new Redrive(
        reached, PLAN, handlers, Optional.of(new CelebrityRule(CELEBRITY)), table.clock());
  }

  /** Damages an item. */
  void unset(Key key, String attribute) {
    table
        .client()
        .updateItem(
            u ->
                u.tableName(table.table().name())
                    .key(KeyAttributes.of(key))
                    .updateExpression("REMOVE " + attribute));
  }

  /** Repairs an item, or damages it. */
  void set(Key key, String attribute, AttributeValue value) {
    table
        .client()
        .updateItem(
            u ->
                u.tableName(table.table().name())
                    .key(KeyAttributes.of(key))
                    .updateExpression("SET " + attribute + " = :v")
                    .expressionAttributeValues(Map.of(":v", value)));
  }

  private EventSource follow(int batchSize) {
    var arn = table.client().describeTable(t -> t.tableName(table.table().name())).table();
    var settings =
        new EventSourceSettings(
            Duration.ofMillis(5),
            Duration.ofMillis(20),
            new RetryDelay(Duration.ZERO, Duration.ZERO),
            InstantSource.fixed(SampleRowLists.AT),
            new Random(1));
    return EventSource.start(
        streams,
        arn.latestStreamArn(),
        checkpoints,
        settings,
        List.of(
            subscription(Lane.COUNTS, mapping(Lane.COUNTS, batchSize).tumblingWindow(WINDOW)),
            subscription(
                Lane.EFFECTS,
                mapping(Lane.EFFECTS, batchSize)
                    .parallelizationFactor(2)
                    .bisectBatchOnFunctionError())));
  }

  private static EventSourceMappingBuilder mapping(Lane lane, int batchSize) {
    return EventSourceMapping.named(lane.name())
        .batchSize(batchSize)
        .reportBatchItemFailures()
        .filter(acceptedBy(lane));
  }

  private Subscription subscription(Lane lane, EventSourceMappingBuilder mapping) {
    return new Subscription(
        mapping.build(),
        around.around(lane, event -> multiplexer.handle(lane, event), ofMultiplexer));
  }

  private static Predicate<DynamodbStreamRecord> acceptedBy(Lane lane) {
    return record -> LaneFilter.accepts(lane, record);
  }

  @Override
  public void close() {
    source.close();
    streams.close();
    client.close();
    table.close();
  }
}
