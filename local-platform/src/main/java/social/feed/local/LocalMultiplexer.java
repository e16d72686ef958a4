package social.feed.local;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.engine.EngineClients;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.LocalQueue;
import social.feed.engine.eventsource.Checkpoints;
import social.feed.engine.eventsource.EventSource;
import social.feed.engine.eventsource.EventSourceMapping;
import social.feed.engine.eventsource.EventSourceSettings;
import social.feed.engine.eventsource.Subscription;
import social.feed.local.page.Xray;
import social.feed.streams.EffectHandlers;
import social.feed.streams.LaneFilter;
import social.feed.streams.LaneMapping;
import social.feed.streams.Multiplexer;
import social.feed.streams.Redrive;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.celebrity.SqsCelebrityEvents;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Lane;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.SinkQueue;
import social.feed.streams.sink.SqsSinkQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.CostInterceptor;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.trace.TraceExporters;
import social.feed.table.kernel.trace.Tracing;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Follow;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The multiplexer with its two event source mappings, as in a deployment. */
final class LocalMultiplexer implements AutoCloseable {
  /** The lanes lag by less than a minute here, so that an erasure ends within minutes. */
  static final ErasureSweeps.Settings SWEEPING =
      new ErasureSweeps.Settings(
          Duration.ofMinutes(1), Duration.ofMinutes(1), Double.POSITIVE_INFINITY);

  /** Lambda's own maximum. Larger batches make each effect cheaper. */
  private static final int BATCH = 10_000;

  /** As deployed. A post with many followers delays the keys of its own lane only. */
  private static final int LANES = 10;

  private static final Logger LOG = LoggerFactory.getLogger(LocalMultiplexer.class);

  /** Handles a batch of a lane. */
  @FunctionalInterface
  interface LaneFunction {
    TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) throws Exception;
  }

  private final DynamoDbClient client;
  private final DynamoDbStreamsClient streams;
  private final SqsClient queue;
  private final Table table;
  private final Multiplexer multiplexer;
  private final Optional<Tracing> tracing;
  private final Xray xray;
  private final CelebrityEvents events;
  private final MediaStore media;
  private final CelebrityRule celebrities;
  private final LocalPlan plan;
  private final SinkQueue sinks;
  private final ErasureTraces traces;
  private final CostMeter meter = new CostMeter();

  /** Creates a multiplexer whose requests no one follows. */
  LocalMultiplexer(
      LocalDynamoDb engine,
      LocalQueue queues,
      Queues urls,
      CelebrityRule celebrities,
      ErasureSweeps.Settings sweeping) {
    this(
        engine,
        queues,
        urls,
        celebrities,
        sweeping,
        newXray(false),
        MediaStore.NONE,
        LocalPlan.withoutSinks(),
        _ -> ErasureTraces.NONE);
  }

  /** Returns what follows requests, with the plan of a platform without sinks. */
  static Xray newXray(boolean isOn) {
    return newXray(isOn, LocalPlan.withoutSinks());
  }

  /** Returns what follows requests, with the plan of a platform. */
  static Xray newXray(boolean isOn, LocalPlan plan) {
    return new Xray(plan.effects(), isOn);
  }

  /**
   * Creates a multiplexer that calls the engine without HTTP: most of the time of a small call is
   * its way to the engine and back.
   *
   * @param sweeping when the sweeps for erasures run, and how fast
   * @param xray follows requests to their effects
   * @param media the bytes of files
   * @param plan what is done with changes
   * @param traces what the search index has of erased accounts, which removes it through an outbox
   */
  LocalMultiplexer(
      LocalDynamoDb engine,
      LocalQueue queues,
      Queues urls,
      CelebrityRule celebrities,
      ErasureSweeps.Settings sweeping,
      Xray xray,
      MediaStore media,
      LocalPlan plan,
      Function<EventOutbox, ErasureTraces> traces) {
    this(engine, queues, urls, celebrities, sweeping, xray, media, plan, traces, tracing());
  }

  private LocalMultiplexer(
      LocalDynamoDb engine,
      LocalQueue queues,
      Queues urls,
      CelebrityRule celebrities,
      ErasureSweeps.Settings sweeping,
      Xray xray,
      MediaStore media,
      LocalPlan plan,
      Function<EventOutbox, ErasureTraces> traces,
      Optional<Tracing> tracing) {
    this(
        engine.directClient(interceptors(tracing, new CostInterceptor(), xray.calls())),
        engine.directStreamsClient(),
        queues.newClient(),
        PlatformSettings.TABLE,
        urls,
        celebrities,
        sweeping,
        xray,
        media,
        plan,
        traces,
        tracing);
  }

  /** Returns the tracing by the variables of the function; the API reads the same. */
  private static Optional<Tracing> tracing() {
    return TraceExporters.tracing(
        System.getenv().getOrDefault("FEED_TRACING_EXPORTER", "none"),
        System.getenv("FEED_TRACING_ENDPOINT"),
        "feed-multiplexer");
  }

  private static ExecutionInterceptor[] interceptors(
      Optional<Tracing> tracing, ExecutionInterceptor... others) {
    return Stream.concat(Stream.of(others), tracing.map(Table::traced).stream())
        .toArray(ExecutionInterceptor[]::new);
  }

  /**
   * Creates a multiplexer for the table of a platform that another process of this machine runs.
   *
   * @param plan what is done with changes; the webhooks of the table are added to its sinks
   * @param traces what the search index has of erased accounts
   */
  static LocalMultiplexer at(
      URI dynamodb,
      Queues urls,
      CelebrityRule celebrities,
      MediaStore media,
      LocalPlan plan,
      ErasureTraces traces) {
    var tracing = tracing();
    var client = EngineClients.dynamoDb(dynamodb, interceptors(tracing));
    plan.outgoing()
        .attach(LocalSinks.registered(new Table(client, PlatformSettings.TABLE, Retry.standard())));
    return new LocalMultiplexer(
        client,
        EngineClients.streams(dynamodb),
        EngineClients.sqs(urls.deadLetters().resolve("/")),
        PlatformSettings.TABLE,
        urls,
        celebrities,
        SWEEPING,
        newXray(false),
        media,
        plan,
        _ -> traces,
        tracing);
  }

  /**
   * Creates a multiplexer for the stream of a table on another engine, which runs no functions.
   *
   * @param client closed with this object, like the other two clients
   */
  LocalMultiplexer(
      DynamoDbClient client,
      DynamoDbStreamsClient streams,
      SqsClient queue,
      String tableName,
      Queues urls,
      CelebrityRule celebrities,
      ErasureSweeps.Settings sweeping) {
    this(
        client,
        streams,
        queue,
        tableName,
        urls,
        celebrities,
        sweeping,
        newXray(false),
        MediaStore.NONE,
        LocalPlan.withoutSinks(),
        _ -> ErasureTraces.NONE,
        Optional.empty());
  }

  private LocalMultiplexer(
      DynamoDbClient client,
      DynamoDbStreamsClient streams,
      SqsClient queue,
      String tableName,
      Queues urls,
      CelebrityRule celebrities,
      ErasureSweeps.Settings sweeping,
      Xray xray,
      MediaStore media,
      LocalPlan plan,
      Function<EventOutbox, ErasureTraces> traces,
      Optional<Tracing> tracing) {
    this.xray = xray;
    this.media = media;
    this.plan = plan;
    this.sinks = sinks(queue, urls);
    this.events = new SqsCelebrityEvents(queue, urls.events().toString());
    this.celebrities = celebrities;
    this.client = client;
    this.tracing = tracing;
    this.streams = streams;
    this.queue = queue;
    this.table = new Table(client, tableName, Retry.standard());
    var outbox = new EventOutbox(sinks, plan.outgoing()::wanting, Clock.systemUTC());
    this.traces = traces.apply(outbox);
    this.multiplexer =
        new Multiplexer(
            table,
            plan.effects(),
            handlers(table, sweeping, events, media, outbox, this.traces).around(xray::applying),
            celebrities,
            new SqsDeadLetters(queue, urls.deadLetters().toString()),
            Clock.systemUTC(),
            tracing);
  }

  /** Returns what the search index has of erased accounts. */
  ErasureTraces traces() {
    return traces;
  }

  static EffectHandlers handlers(
      Table table,
      ErasureSweeps.Settings sweeping,
      CelebrityEvents events,
      MediaStore media,
      EventOutbox outbox,
      ErasureTraces traces) {
    return new EffectHandlers(
        table,
        Clock.systemUTC(),
        EffectSettings.of(Follow.NEWEST, BatchSizes.STANDARD, sweeping)
            .withEvents(events)
            .withMedia(media)
            .withOutbox(outbox)
            .withTraces(traces));
  }

  /** Without a queue there are no sinks, and no events for them. */
  private static SinkQueue sinks(SqsClient queue, Queues urls) {
    return urls.sinks()
        .<SinkQueue>map(url -> new SqsSinkQueue(queue, url.toString()))
        .orElse((_, _) -> {});
  }

  /** Delivers the stream of the table from the checkpoints on, or from its beginning. */
  EventSource follow(Checkpoints checkpoints) {
    return follow(checkpoints, EventSourceSettings.woken());
  }

  /** Delivers the stream with another number of lanes for effects. */
  EventSource follow(Checkpoints checkpoints, int lanes) {
    return follow(checkpoints, EventSourceSettings.woken(), lanes, this::handle);
  }

  /**
   * Delivers the stream with other settings, such as for an engine that does not wake the event
   * source after writes.
   */
  EventSource follow(Checkpoints checkpoints, EventSourceSettings settings) {
    return follow(checkpoints, settings, this::handle);
  }

  /** Delivers the stream to a function that may run in other processes. */
  EventSource follow(Checkpoints checkpoints, EventSourceSettings settings, LaneFunction function) {
    return follow(checkpoints, settings, LANES, function);
  }

  private EventSource follow(
      Checkpoints checkpoints, EventSourceSettings settings, int lanes, LaneFunction function) {
    var stream = client.describeTable(t -> t.tableName(table.name())).table().latestStreamArn();
    return EventSource.start(
        streams,
        stream,
        checkpoints,
        settings,
        List.of(
            new Subscription(counts(), event -> handle(Lane.COUNTS, event, function)),
            new Subscription(effects(lanes), event -> handle(Lane.EFFECTS, event, function))));
  }

  private TimeWindowEventResponse handle(
      Lane lane, DynamodbTimeWindowEvent event, LaneFunction function) throws Exception {
    return xray.batch(lane, event, () -> function.handle(lane, event));
  }

  /** Handles a batch in this process. */
  TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    SweptRecords.attributed(event);
    return meter.measure(
        () ->
            switch (lane) {
              case COUNTS -> xray.counting(event, () -> multiplexer.handle(lane, event));
              case EFFECTS -> multiplexer.handle(lane, event);
            });
  }

  /** Returns what applies dead letters to the table. */
  Redrive redrive() {
    return LocalRedrive.on(table, events, celebrities, media, plan, sinks);
  }

  /** Returns the units of the effects in this process since the start, if the client is metered. */
  ConsumedUnits units() {
    return meter.consumed();
  }

  /** Starts to remove expired items from the table. */
  ExpirySweep sweep() {
    return ExpirySweep.start(table);
  }

  private EventSourceMapping counts() {
    return EventSourceMapping.named("counts")
        .batchSize(BATCH)
        .tumblingWindow(LaneMapping.of(Lane.COUNTS).tumblingWindow().orElseThrow())
        .reportBatchItemFailures()
        .filter(wantedBy(Lane.COUNTS))
        .build();
  }

  private EventSourceMapping effects(int lanes) {
    return EventSourceMapping.named("effects")
        .batchSize(BATCH)
        .parallelizationFactor(lanes)
        .bisectBatchOnFunctionError()
        .reportBatchItemFailures()
        .filter(wantedBy(Lane.EFFECTS))
        .build();
  }

  /**
   * A record that the plan cannot read becomes a dead letter, and must not stop the source here.
   */
  private void watch(Lane lane, DynamodbStreamRecord record, boolean isWanted) {
    try {
      xray.seen(lane, record, isWanted);
    } catch (RuntimeException e) {
      LOG.warn("The page does not show the record {}", record.getEventID(), e);
    }
  }

  private Predicate<DynamodbStreamRecord> wantedBy(Lane lane) {
    return record -> {
      boolean isWanted =
          LaneFilter.accepts(lane, record)
              || (LaneFilter.acceptsWithEvents(lane, record) && plan.outgoing().areWanted());
      watch(lane, record, isWanted);
      if (lane == Lane.EFFECTS) {
        plan.suspicious().seen(record);
      }
      return isWanted;
    };
  }

  @Override
  public void close() {
    queue.close();
    streams.close();
    client.close();
    tracing.ifPresent(Tracing::close);
  }
}
