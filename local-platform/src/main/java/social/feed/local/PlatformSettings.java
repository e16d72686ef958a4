package social.feed.local;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import social.feed.engine.ListenOn;

/**
 * The settings of the platform on this machine. All servers listen on 127.0.0.1; port 0 is any free
 * one.
 *
 * @param data folder for all data, or empty to keep them in memory
 * @param port port of the API
 * @param dynamodbPort port of DynamoDB Local
 * @param queuePort port of the SQS-compatible queue
 * @param celebrityThreshold number of followers from which an author's posts are pulled, at least 1
 */
public record PlatformSettings(
    Optional<Path> data, int port, int dynamodbPort, int queuePort, long celebrityThreshold) {
  /** At two write units a follower, a post to this many followers costs about 25 cents. */
  public static final long CELEBRITY_THRESHOLD = 100_000;

  private static final int MAX_PORT = 65_535;

  /** Name of the table. */
  public static final String TABLE = "feed";

  /** Name of the queue for dead letters. */
  public static final String DEAD_LETTERS = "feed-dead-letters";

  /** Name of the queue of celebrity events. */
  public static final String EVENTS = "feed-events";

  public PlatformSettings {
    requireThreshold(celebrityThreshold);
    requirePort("--port", port);
    requirePort("--dynamodb-port", dynamodbPort);
    requirePort("--queue-port", queuePort);
    requireDifferent(port, dynamodbPort, queuePort);
  }

  /** Returns settings for tests: in memory, on free ports. */
  public static PlatformSettings inMemory() {
    return new PlatformSettings(Optional.empty(), 0, 0, 0, CELEBRITY_THRESHOLD);
  }

  /** Returns settings for tests: in a folder, on free ports. */
  public static PlatformSettings in(Path data) {
    return new PlatformSettings(Optional.of(data), 0, 0, 0, CELEBRITY_THRESHOLD);
  }

  /** Returns these settings with another threshold. */
  public PlatformSettings withCelebritiesFrom(long followers) {
    return new PlatformSettings(data, port, dynamodbPort, queuePort, followers);
  }

  /**
   * Reports a taken port before anything slow begins.
   *
   * @throws social.feed.engine.PortTakenException naming the port
   */
  void requireFreePorts() {
    ListenOn.port(port).requireFree(ApiServer.NAME);
    ListenOn.port(dynamodbPort).requireFree("DynamoDB Local");
    ListenOn.port(queuePort).requireFree("The queue");
  }

  private static void requireDifferent(int... ports) {
    var given = IntStream.of(ports).filter(port -> port != 0);
    if (given.distinct().count() < IntStream.of(ports).filter(port -> port != 0).count()) {
      throw new IllegalArgumentException(
          "--port, --dynamodb-port and --queue-port must differ, unless they are 0");
    }
  }

  private static void requireThreshold(long threshold) {
    if (threshold < 1) {
      throw new IllegalArgumentException(
          "--celebrity-threshold must be at least 1, not " + threshold);
    }
  }

  private static void requirePort(String name, int port) {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(name + " must be 0 (any free one) to 65535, not " + port);
    }
  }
}
