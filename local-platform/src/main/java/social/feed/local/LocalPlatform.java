package social.feed.local;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import social.feed.engine.BoundDynamoDb;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.LocalQueue;
import social.feed.engine.eventsource.EventSource;
import social.feed.engine.eventsource.MappingStatus;
import social.feed.local.PlatformParts.Part;
import social.feed.table.kernel.declaration.TableMismatchException;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.user.CelebrityRule;

/**
 * The whole platform in this process, from the engine to the API. Independent parts start
 * concurrently.
 */
public final class LocalPlatform implements AutoCloseable {
  private final PlatformParts parts;
  private final URI dynamodb;
  private final LocalDynamoDb engine;
  private final Queues queues;
  private final StreamControl control;
  private final EventSource stream;
  private final ApiServer api;

  private LocalPlatform(PlatformSettings settings, PlatformParts parts) {
    this.parts = parts;
    settings.requireFreePorts();
    var data = DataFolder.of(settings);
    this.control = new StreamControl();
    var bound =
        parts.opened(Part.DYNAMODB, LocalDynamoDb.bind(ListenOn.port(settings.dynamodbPort())));
    this.dynamodb = bound.endpoint();
    try (var starting = new ParallelStart()) {
      var engineStarted = starting.begin(() -> engine(bound, data, settings));
      var queueStarted = starting.begin(() -> queue(data, settings));
      var apiPrepared = starting.begin(() -> api(data, settings, control));
      var queue = queueStarted.get();
      this.queues = Queues.in(queue);
      this.engine = engineStarted.get();
      var multiplexer =
          parts.opened(
              Part.MULTIPLEXER,
              new LocalMultiplexer(
                  engine, queue, queues, new CelebrityRule(settings.celebrityThreshold())));
      this.stream = parts.opened(Part.STREAM, multiplexer.follow(data.checkpoints()));
      engine.onWrite(stream::wake);
      control.attach(stream);
      var _ = parts.opened(Part.SWEEP, multiplexer.sweep());
      this.api = apiPrepared.get();
    }
    api.listen();
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

  private ApiServer api(DataFolder data, PlatformSettings settings, StreamControl control) {
    return parts.opened(
        Part.API, ApiServer.prepare(settings.port(), dynamodb, data.secrets(), control));
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

  /** Returns the address of the API. */
  public URI api() {
    return api.url();
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

  /**
   * Waits until all writes so far have had all their effects.
   *
   * @throws social.feed.engine.eventsource.DrainTimeoutException with the state of each shard
   */
  public void drain(Duration timeout) {
    control.release();
    stream.drain(timeout);
  }

  /** Returns the status of each lane of the multiplexer. */
  public List<MappingStatus> lanes() {
    return stream.status();
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
