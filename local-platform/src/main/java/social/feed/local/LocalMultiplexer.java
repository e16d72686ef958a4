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
  private final Setup setup;
  private final CelebrityEvents events;
  private final SinkQueue sinks;
  private final ErasureTraces traces;
  private final CostMeter meter = new CostMeter();

  /**
   * What a multiplexer has next to the table.
   *
   * @param sweeping when the sweeps for erasures run, and how fast
   * @param xray follows requests to their effects
   * @param media the bytes of files
   * @param plan what is done with changes
   * @param traces what the search index has of erased accounts, which removes it through an outbox
   */
  record Setup(
      Queues urls,
      CelebrityRule celebrities,
      ErasureSweeps.Settings sweeping,
      Xray xray,
      MediaStore media,
      LocalPlan plan,
      Function<EventOutbox, ErasureTraces> traces) {
    /** Returns the setup of a platform without media, sinks and a page. */
    static Setup of(Queues urls, CelebrityRule celebrities) {
      return new Setup(
          urls,
          celebrities,
          SWEEPING,
          newXray(false),
          MediaStore.NONE,
          LocalPlan.withoutSinks(),
          _ -> ErasureTraces.NONE);
    }

    Setup with(ErasureSweeps.Settings other) {
      return new Setup(urls, celebrities, other, xray, media, plan, traces);
    }
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
   */
  LocalMultiplexer(LocalDynamoDb engine, LocalQueue queues, Setup setup) {
    this(engine, queues, setup, tracing());
  }

  private LocalMultiplexer(
      LocalDynamoDb engine, LocalQueue queues, Setup setup, Optional<Tracing> tracing) {
    this(
        engine.directClient(interceptors(tracing, new CostInterceptor(), setup.xray.calls())),
        engine.directStreamsClient(),
        queues.newClient(),
        PlatformSettings.TABLE,
        setup,
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
   * The webhooks of the table are added to the sinks of its plan.
   */
  static LocalMultiplexer at(URI dynamodb, Setup setup) {
    var tracing = tracing();
    var client = EngineClients.dynamoDb(dynamodb, interceptors(tracing));
    setup
        .plan
        .outgoing()
        .attach(LocalSinks.registered(new Table(client, PlatformSettings.TABLE, Retry.standard())));
    return new LocalMultiplexer(
        client,
        EngineClients.streams(dynamodb),
        EngineClients.sqs(setup.urls.deadLetters().resolve("/")),
        PlatformSettings.TABLE,
        setup,
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
      Setup setup) {
    this(client, streams, queue, tableName, setup, Optional.empty());
  }

  private LocalMultiplexer(
      DynamoDbClient client,
      DynamoDbStreamsClient streams,
      SqsClient queue,
      String tableName,
      Setup setup,
      Optional<Tracing> tracing) {
    this.setup = setup;
    this.sinks = sinks(queue, setup.urls);
    this.events = new SqsCelebrityEvents(queue, setup.urls.events().toString());
    this.client = client;
    this.tracing = tracing;
    this.streams = streams;
    this.queue = queue;
    this.table = new Table(client, tableName, Retry.standard());
    var outbox = new EventOutbox(sinks, setup.plan.outgoing()::wanting, Clock.systemUTC());
    this.traces = setup.traces.apply(outbox);
    var effects =
        effects(setup.sweeping)
            .withEvents(events)
            .withMedia(setup.media)
            .withOutbox(outbox)
            .withTraces(traces);
    this.multiplexer =
        new Multiplexer(
            table,
            setup.plan.effects(),
            new EffectHandlers(table, Clock.systemUTC(), effects).around(setup.xray::applying),
            setup.celebrities,
            new SqsDeadLetters(queue, setup.urls.deadLetters().toString()),
            Clock.systemUTC(),
            tracing);
  }

  /** Returns what the search index has of erased accounts. */
  ErasureTraces traces() {
    return traces;
  }

  /** Returns how effects work on this machine. */
  static EffectSettings effects(ErasureSweeps.Settings sweeping) {
    return EffectSettings.of(Follow.NEWEST, BatchSizes.STANDARD, sweeping);
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
    return setup.xray.batch(lane, event, () -> function.handle(lane, event));
  }

  /** Handles a batch in this process. */
  TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    SweptRecords.attributed(event);
    return meter.measure(
        () ->
            switch (lane) {
              case COUNTS -> setup.xray.counting(event, () -> multiplexer.handle(lane, event));
              case EFFECTS -> multiplexer.handle(lane, event);
            });
  }

  /** Returns what applies dead letters to the table. */
  Redrive redrive() {
    return LocalRedrive.on(table, events, setup.celebrities, setup.media, setup.plan, sinks);
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
      setup.xray.seen(lane, record, isWanted);
    } catch (RuntimeException e) {
      LOG.warn("The page does not show the record {}", record.getEventID(), e);
    }
  }

  private Predicate<DynamodbStreamRecord> wantedBy(Lane lane) {
    return record -> {
      boolean isWanted =
          LaneFilter.accepts(lane, record)
              || (LaneFilter.acceptsWithEvents(lane, record) && setup.plan.outgoing().areWanted());
      watch(lane, record, isWanted);
      if (lane == Lane.EFFECTS) {
        setup.plan.suspicious().seen(record);
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
