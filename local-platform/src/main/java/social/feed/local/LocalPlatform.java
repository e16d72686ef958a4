package social.feed.local;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import social.feed.engine.BoundDynamoDb;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.LocalQueue;
import social.feed.engine.eventsource.EventSource;
import social.feed.engine.eventsource.EventSourceSettings;
import social.feed.engine.eventsource.MappingStatus;
import social.feed.event.webhook.WebhookSecret;
import social.feed.local.PlatformParts.Part;
import social.feed.local.index.ServerIndex;
import social.feed.local.page.TableVerifier;
import social.feed.local.page.Xray;
import social.feed.search.SearchIndex;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.IndexTraces;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.declaration.TableMismatchException;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaFolder;
import social.feed.table.user.CelebrityRule;

/**
 * The whole platform, from the engine to the API. Independent parts start concurrently. All run in
 * this process, unless the settings name processes of the API or of the multiplexer.
 */
public final class LocalPlatform implements AutoCloseable {
  /** The time of a batch under way when the platform stops. Its process may hang. */
  private static final Duration LAST_BATCH = Duration.ofSeconds(10);

  private final PlatformParts parts;
  private final URI dynamodb;
  private final LocalDynamoDb engine;
  private final Queues queues;
  private final LocalStreamControl control;
  private final Xray xray;
  private final LocalMachineRoom machineRoom;
  private final LocalMultiplexer multiplexer;
  private final EventSource stream;
  private final List<URI> apis;
  private final Map<URI, WebhookSecret> webhooks;
  private final Optional<SearchIndex> search;

  private LocalPlatform(PlatformSettings settings, PlatformParts parts) {
    this.parts = parts;
    settings.requireFreePorts();
    var data = DataFolder.of(settings);
    var secrets = data.secrets();
    var media = data.media(parts);
    this.control = new LocalStreamControl();
    var outgoing = new LocalEvents(LocalSinks.configured(settings));
    var suspicious = new SuspiciousAccounts();
    var plan = new LocalPlan(outgoing, settings.suspicion(), suspicious);
    this.xray = LocalMultiplexer.newXray(settings.hasXray(), plan);
    this.machineRoom = new LocalMachineRoom(control, xray);
    var bound =
        parts.opened(Part.DYNAMODB, LocalDynamoDb.bind(ListenOn.port(settings.dynamodbPort())));
    this.dynamodb = bound.endpoint();
    this.search =
        LocalSinks.hasSearch(settings)
            ? Optional.of(parts.opened(Part.SEARCH, index(data, settings)))
            : Optional.empty();
    Supplier<List<URI>> api;
    try (var starting = new ParallelStart()) {
      var engineStarted = starting.begin(() -> engine(bound, data, settings));
      var queueStarted = starting.begin(() -> queue(data, settings));
      var apiPrepared = starting.begin(() -> api(secrets, media, suspicious, settings));
      var queue = queueStarted.get();
      this.queues = Queues.in(queue).withSinks(queue);
      this.engine = engineStarted.get();
      var table = new Table(engine.directClient(), PlatformSettings.TABLE, Retry.standard());
      outgoing.attach(LocalSinks.registered(table));
      this.multiplexer =
          parts.opened(
              Part.MULTIPLEXER,
              new LocalMultiplexer(
                  engine,
                  queue,
                  new LocalMultiplexer.Setup(
                      queues,
                      new CelebrityRule(settings.celebrityThreshold()),
                      LocalMultiplexer.SWEEPING,
                      xray,
                      new MediaFolder(media),
                      plan,
                      this::traces)));
      this.webhooks = LocalSinks.secrets(settings.webhooks(), secrets);
      var _ =
          parts.opened(
              Part.SINKS,
              LocalSinks.start(
                  LocalSinks.configured(settings),
                  webhooks,
                  search,
                  settings.kafka(),
                  table,
                  queue.newClient(),
                  queues));
      this.stream = parts.opened(Part.STREAM, follow(multiplexer, data, media, settings));
      engine.onWrite(stream::wake);
      control.attach(stream);
      machineRoom.attach(stream, multiplexer, queue, queues);
      var _ = parts.opened(Part.SWEEP, multiplexer.sweep());
      api = apiPrepared.get();
    }
    this.apis = api.get();
  }

  private ErasureTraces traces(EventOutbox outbox) {
    return search
        .<ErasureTraces>map(index -> new IndexTraces(index, outbox, Clock.systemUTC()))
        .orElse(ErasureTraces.NONE);
  }

  private static SearchIndex index(DataFolder data, PlatformSettings settings) {
    if (settings.search().isEmpty()) {
      return data.search();
    }
    var index = ServerIndex.at(settings.search().get());
    // A server may take minutes. Until it is done, it only has more tombstones.
    Thread.ofVirtual().name("forget-deletions").start(() -> forgetDeletions(index));
    return index;
  }

  /** The next start tries again. */
  private static void forgetDeletions(SearchIndex index) {
    try {
      ServerIndex.forgetDeletions(index);
    } catch (IOException | RuntimeException e) {
      System.getLogger(LocalPlatform.class.getName())
          .log(System.Logger.Level.DEBUG, "Old deletions stay in the search index", e);
    }
  }

  private LocalDynamoDb engine(BoundDynamoDb bound, DataFolder data, PlatformSettings settings) {
    var engine = parts.opened(Part.DYNAMODB, bound.open(data.dynamodb()));
    provision(engine, settings);
    return engine;
  }

  private LocalQueue queue(DataFolder data, PlatformSettings settings) {
    return parts.opened(
        Part.QUEUE, LocalQueue.start(data.queue(), ListenOn.port(settings.queuePort())));
  }

  private EventSource follow(
      LocalMultiplexer multiplexer, DataFolder data, Path media, PlatformSettings settings) {
    int count = settings.processes().multiplexers();
    if (count == 0) {
      return multiplexer.follow(data.checkpoints());
    }
    // The index may be open in this process only.
    var traces = parts.opened(Part.TRACES, RemoteTraces.serve(multiplexer.traces()));
    var program =
        MultiplexerProcess.program(
            dynamodb,
            queues,
            settings.celebrityThreshold(),
            media,
            LocalSinks.configured(settings),
            traces.address(),
            settings.suspicion());
    var processes =
        parts.opened(
            Part.MULTIPLEXER_PROCESSES,
            ProcessGroup.start("multiplexer", count, _ -> 0, program, parts::isStopping));
    var _ = parts.opened(Part.CALL_LIMIT, () -> processes.killAfter(LAST_BATCH));
    return multiplexer.follow(
        data.checkpoints(),
        EventSourceSettings.woken(),
        (lane, event) -> MultiplexerProcess.call(processes.next(), lane, event));
  }

  /** Prepares the API. The returned function makes it listen and returns its addresses. */
  private Supplier<List<URI>> api(
      Secrets secrets, Path media, SuspiciousAccounts suspicious, PlatformSettings settings) {
    int count = settings.processes().apis();
    if (count == 0) {
      var server =
          parts.opened(
              Part.API,
              ApiServer.prepare(
                  settings.port(),
                  dynamodb,
                  secrets,
                  media,
                  control,
                  xray,
                  xray.calls(),
                  machineRoom,
                  suspicious,
                  search.orElseThrow()));
      return () -> {
        server.listen();
        return List.of(server.url());
      };
    }
    var calls = parts.opened(Part.CONTROL, RemoteStreamControl.serve(control));
    var program =
        ApiProcess.program(
            dynamodb, calls.address(), media, secrets, settings.search(), settings.hasXray());
    return () ->
        parts
            .opened(
                Part.API,
                ProcessGroup.start("API", count, settings::port, program, parts::isStopping))
            .addresses();
  }

  /**
   * Starts the platform and returns when requests are answered.
   *
   * @throws social.feed.engine.PortTakenException naming the port
   * @throws social.feed.engine.DataFolderException if the folder cannot be used
   * @throws IllegalStateException if the data belong to another version of the table
   */
  public static LocalPlatform start(PlatformSettings settings) {
    return start(settings, new PlatformParts());
  }

  /**
   * Starts the platform like {@link #start(PlatformSettings)}. The caller can close the parts
   * before this method returns.
   *
   * @throws java.util.concurrent.CancellationException if the parts were closed meanwhile
   */
  public static LocalPlatform start(PlatformSettings settings, PlatformParts parts) {
    return parts.openAll(() -> new LocalPlatform(settings, parts));
  }

  /** Returns the address of the API, of its first process where there are several. */
  public URI api() {
    return apis.getFirst();
  }

  /** Returns the addresses of all processes of the API. */
  public List<URI> apis() {
    return apis;
  }

  /**
   * Returns the address of DynamoDB Local. Clients use any alphanumeric credentials and the region
   * us-east-1.
   */
  public URI dynamodb() {
    return dynamodb;
  }

  /** Returns DynamoDB Local, which callers in this process can call without HTTP. */
  public LocalDynamoDb engine() {
    return engine;
  }

  /** Returns the URL of the queue for dead letters. */
  public URI deadLetters() {
    return queues.deadLetters();
  }

  /**
   * Returns the URL of the queue of celebrity events: authors who became or stopped being
   * celebrities.
   */
  public URI events() {
    return queues.events();
  }

  /** Returns the secret of each webhook, which its receiver checks signatures with. */
  public Map<URI, WebhookSecret> webhooks() {
    return webhooks;
  }

  /** Returns the search index, if this process has one open. */
  public Optional<SearchIndex> search() {
    return search;
  }

  /**
   * Waits until all writes so far have had all their effects. The sinks of events may be behind.
   *
   * @throws social.feed.engine.eventsource.DrainTimeoutException with the state of each shard
   */
  public void drain(Duration timeout) {
    control.release();
    stream.drain(timeout);
  }

  /** Holds the multiplexer while data are written, until a release or the end of the time. */
  public void hold(Duration time) {
    control.hold(time);
  }

  /** Ends a hold. */
  public void release() {
    control.release();
  }

  /** Returns the status of each lane of the multiplexer. */
  public List<MappingStatus> lanes() {
    return stream.status();
  }

  /** Lets the page verify the table. The checks are part of the commands, which provide them. */
  public void verifyWith(TableVerifier verifier) {
    machineRoom.verification().provide(verifier);
  }

  /** Returns the units that effects in this process have consumed since the start. */
  public ConsumedUnits effectUnits() {
    return multiplexer.units();
  }

  /** Delivers every record of the stream to both lanes again. */
  public void replay() {
    stream.status().forEach(lane -> stream.rewind(lane.mapping()));
  }

  /** Stops the parts in order: first the API, then the delivery of records, then the engines. */
  @Override
  public void close() {
    parts.close();
  }

  private static void provision(LocalDynamoDb engine, PlatformSettings settings) {
    try (var client = engine.newClient()) {
      new TableProvisioning(client, FeedTable.DECLARATION).ensure(PlatformSettings.TABLE);
    } catch (TableMismatchException e) {
      throw new IllegalStateException(
          "The data in "
              + settings.data().map(Object::toString).orElse("memory")
              + " belong to another version of the table: "
              + String.join("; ", e.differences())
              + ". Start on another folder with --data DIR, or delete this one to lose its data.",
          e);
    }
  }
}
