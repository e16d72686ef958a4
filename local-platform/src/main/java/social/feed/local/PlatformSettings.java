package social.feed.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import social.feed.engine.ListenOn;
import social.feed.event.EventType;
import social.feed.streams.sink.KafkaTopic;
import social.feed.table.suspicion.SuspicionRules;

/**
 * The settings of the platform on this machine. All servers listen on 127.0.0.1; port 0 is any free
 * one.
 *
 * @param data folder for all data, or empty to keep them in memory
 * @param port port of the API, and of the first of several processes
 * @param dynamodbPort port of DynamoDB Local
 * @param queuePort port of the SQS-compatible queue
 * @param celebrityThreshold number of followers from which an author's posts are pulled, at least 1
 * @param processes the parts that run in processes of their own
 * @param hasXray whether requests are followed to their effects, for the page; takes time and
 *     memory
 * @param webhooks addresses that get every public event, next to the webhooks of the table
 * @param kafka the topic that gets every public event
 * @param search the server of OpenSearch that has the search index, or empty to keep the index with
 *     the data
 * @param privateEvents types of events that the addresses and the topic get although they are not
 *     public
 * @param suspicion when follows look abnormal
 */
public record PlatformSettings(
    Optional<Path> data,
    int port,
    int dynamodbPort,
    int queuePort,
    long celebrityThreshold,
    Processes processes,
    boolean hasXray,
    List<URI> webhooks,
    Optional<KafkaTopic> kafka,
    Optional<URI> search,
    Set<EventType> privateEvents,
    SuspicionRules suspicion) {
  /** At two write units a follower, a post to this many followers costs about 25 cents. */
  public static final long CELEBRITY_THRESHOLD = 100_000;

  private static final int MAX_PORT = 65_535;

  /**
   * The numbers of processes next to the one that runs engine, queue and event source.
   *
   * @param apis processes of the API, at consecutive ports; 0 runs it in the first process
   * @param multiplexers processes of the multiplexer; 0 runs it in the first process
   */
  public record Processes(int apis, int multiplexers) {
    /** Everything in one process. */
    public static final Processes NONE = new Processes(0, 0);

    private static final int MAX = 16;

    public Processes {
      require("--api", apis);
      require("--multiplexers", multiplexers);
    }

    private static void require(String option, int processes) {
      if (processes < 0 || processes > MAX) {
        throw new IllegalArgumentException(
            "%s must be 0 to %d, not %d".formatted(option, MAX, processes));
      }
    }
  }

  /** Name of the table. */
  public static final String TABLE = "feed";

  /** Name of the queue for dead letters. */
  public static final String DEAD_LETTERS = "feed-dead-letters";

  /** Name of the queue between the multiplexer and the publishers. */
  public static final String SINKS = "feed-sinks";

  /** Name of the queue of celebrity events. */
  public static final String EVENTS = "feed-events";

  private static final int MAX_WEBHOOKS = 10;

  public PlatformSettings {
    webhooks = List.copyOf(webhooks);
    privateEvents = Set.copyOf(privateEvents);
    if (webhooks.size() > MAX_WEBHOOKS) {
      throw new IllegalArgumentException(
          "--webhook can be given %d times, not %d".formatted(MAX_WEBHOOKS, webhooks.size()));
    }
    requireThreshold(celebrityThreshold);
    requirePort("--port", port);
    requirePort("--dynamodb-port", dynamodbPort);
    requirePort("--queue-port", queuePort);
    requirePort("The last port of the API", port(port, processes.apis() - 1));
    requireDifferent(
        IntStream.concat(ports(port, processes), IntStream.of(dynamodbPort, queuePort)).toArray());
  }

  /** Creates settings without a topic of Kafka, whose search index is with the data. */
  public PlatformSettings(
      Optional<Path> data,
      int port,
      int dynamodbPort,
      int queuePort,
      long celebrityThreshold,
      Processes processes,
      boolean hasXray,
      List<URI> webhooks) {
    this(
        data,
        port,
        dynamodbPort,
        queuePort,
        celebrityThreshold,
        processes,
        hasXray,
        webhooks,
        Optional.empty(),
        Optional.empty(),
        Set.of(),
        SuspicionRules.STANDARD);
  }

  /** Creates settings that run everything in one process. */
  public PlatformSettings(
      Optional<Path> data, int port, int dynamodbPort, int queuePort, long celebrityThreshold) {
    this(
        data,
        port,
        dynamodbPort,
        queuePort,
        celebrityThreshold,
        Processes.NONE,
        true,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Set.of(),
        SuspicionRules.STANDARD);
  }

  /** Returns settings in memory, on free ports. */
  public static PlatformSettings inMemory() {
    return new PlatformSettings(Optional.empty(), 0, 0, 0, CELEBRITY_THRESHOLD);
  }

  /** Returns settings for tests: in a folder, on free ports. */
  public static PlatformSettings in(Path data) {
    return new PlatformSettings(Optional.of(data), 0, 0, 0, CELEBRITY_THRESHOLD);
  }

  /** Returns these settings with another threshold. */
  public PlatformSettings withCelebritiesFrom(long followers) {
    return changed(draft -> draft.celebrityThreshold = followers);
  }

  /** Returns these settings for measurements, which the X-ray would change. */
  public PlatformSettings withoutXray() {
    return changed(draft -> draft.hasXray = false);
  }

  /** Returns these settings with webhooks. */
  public PlatformSettings withWebhooks(List<URI> addresses) {
    return changed(draft -> draft.webhooks = addresses);
  }

  /** Returns these settings with a topic of Kafka. */
  public PlatformSettings withKafka(KafkaTopic topic) {
    return changed(draft -> draft.kafka = Optional.of(topic));
  }

  /** Returns these settings with types of events that are not public. */
  public PlatformSettings withPrivateEvents(Set<EventType> types) {
    return changed(draft -> draft.privateEvents = types);
  }

  /** Returns these settings with other thresholds of suspicious follows. */
  public PlatformSettings withSuspicion(SuspicionRules rules) {
    return changed(draft -> draft.suspicion = rules);
  }

  /** Returns these settings with a search index on a server, and some processes. */
  public PlatformSettings withSearch(URI server, Processes several) {
    return changed(
        draft -> {
          draft.search = Optional.of(server);
          draft.processes = several;
        });
  }

  private PlatformSettings changed(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return new PlatformSettings(
        data,
        port,
        dynamodbPort,
        queuePort,
        draft.celebrityThreshold,
        draft.processes,
        draft.hasXray,
        draft.webhooks,
        draft.kafka,
        draft.search,
        draft.privateEvents,
        draft.suspicion);
  }

  /** What can be changed of settings. */
  private static final class Draft {
    private long celebrityThreshold;
    private Processes processes;
    private boolean hasXray;
    private List<URI> webhooks;
    private Optional<KafkaTopic> kafka;
    private Optional<URI> search;
    private Set<EventType> privateEvents;
    private SuspicionRules suspicion;

    private Draft(PlatformSettings from) {
      this.celebrityThreshold = from.celebrityThreshold;
      this.processes = from.processes;
      this.hasXray = from.hasXray;
      this.webhooks = from.webhooks;
      this.kafka = from.kafka;
      this.search = from.search;
      this.privateEvents = from.privateEvents;
      this.suspicion = from.suspicion;
    }
  }

  /** Returns the port of a process of the API by its index, or 0 for any free one. */
  int port(int index) {
    return port(port, index);
  }

  private static int port(int first, int index) {
    return first == 0 ? 0 : first + Math.max(0, index);
  }

  private static IntStream ports(int first, Processes processes) {
    return IntStream.range(0, Math.max(1, processes.apis())).map(index -> port(first, index));
  }

  /**
   * Reports a taken port before anything slow begins.
   *
   * @throws social.feed.engine.PortTakenException naming the port
   */
  void requireFreePorts() {
    ports(port, processes).forEach(each -> ListenOn.port(each).requireFree(ApiServer.NAME));
    ListenOn.port(dynamodbPort).requireFree("DynamoDB Local");
    ListenOn.port(queuePort).requireFree("The queue");
  }

  private static void requireDifferent(int... ports) {
    var given = IntStream.of(ports).filter(port -> port != 0);
    if (given.distinct().count() < IntStream.of(ports).filter(port -> port != 0).count()) {
      throw new IllegalArgumentException(
          "--port, --dynamodb-port and --queue-port must differ, unless they are 0; --api N takes N"
              + " ports from --port on");
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
