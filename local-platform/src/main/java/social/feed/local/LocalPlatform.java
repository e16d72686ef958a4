package social.feed.local;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.LocalQueue;
import social.feed.engine.eventsource.EventSource;
import social.feed.engine.eventsource.MappingStatus;
import social.feed.table.declaration.TableMismatchException;
import social.feed.table.declaration.TableProvisioning;
import social.feed.table.schema.FeedTable;

/**
 * The platform in this process, all of it, from the engine to the API. Started in the order of what
 * needs what, stopped in the reverse.
 */
public final class LocalPlatform implements AutoCloseable {
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final URI dynamodb;
  private final URI deadLetters;
  private final EventSource stream;
  private final ApiServer api;

  private LocalPlatform(PlatformSettings settings) {
    var data = DataFolder.of(settings);
    try {
      var engine =
          opened(LocalDynamoDb.start(data.dynamodb(), ListenOn.port(settings.dynamodbPort())));
      this.dynamodb = engine.endpoint();
      provision(engine, settings);
      var queue = opened(LocalQueue.start(data.queue(), ListenOn.port(settings.queuePort())));
      this.deadLetters = queue.createQueue(PlatformSettings.DEAD_LETTERS);
      var multiplexer = opened(new LocalMultiplexer(engine, queue, deadLetters));
      this.stream = opened(multiplexer.follow(data.checkpoints()));
      engine.onWrite(stream::wake);
      this.api =
          opened(
              ApiServer.start(settings.port(), dynamodb, data.secrets(), new StreamDesk(stream)));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Returns when requests are answered.
   *
   * @throws social.feed.engine.PortTakenException naming the port
   * @throws social.feed.engine.DataFolderException when the folder cannot be used
   * @throws IllegalStateException when the data belong to another version of the table
   */
  public static LocalPlatform start(PlatformSettings settings) {
    return new LocalPlatform(settings);
  }

  /** Where the API is. */
  public URI api() {
    return api.url();
  }

  /** Where other clients reach DynamoDB Local; any alphanumeric credentials, region us-east-1. */
  public URI dynamodb() {
    return dynamodb;
  }

  /** The queue for dead letters. */
  public URI deadLetters() {
    return deadLetters;
  }

  /**
   * Returns when everything written so far has had all its effects.
   *
   * @throws social.feed.engine.eventsource.DrainTimeoutException with the state of each shard
   */
  public void drain(Duration timeout) {
    stream.drain(timeout);
  }

  /** What each lane of the multiplexer did. */
  public List<MappingStatus> lanes() {
    return stream.status();
  }

  /** Delivers everything that the stream still has to both lanes again. */
  public void replay() {
    stream.status().forEach(lane -> stream.rewind(lane.mapping()));
  }

  /** Stops in order: no request is taken any more, then no record, then the engine is closed. */
  @Override
  public void close() {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        System.getLogger(LocalPlatform.class.getName())
            .log(System.Logger.Level.WARNING, "Something did not stop in order", e);
      }
    }
  }

  private <T extends AutoCloseable> T opened(T part) {
    running.push(part);
    return part;
  }

  private static void provision(LocalDynamoDb engine, PlatformSettings settings) {
    try (var client = engine.newClient()) {
      new TableProvisioning(client, FeedTable.DECLARATION.unprotected())
          .ensure(PlatformSettings.TABLE);
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
