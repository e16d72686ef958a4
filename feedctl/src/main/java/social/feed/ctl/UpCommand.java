package social.feed.ctl;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.demo.DemoWorld;
import social.feed.engine.PortTakenException;
import social.feed.event.EventType;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformParts;
import social.feed.local.PlatformSettings;
import social.feed.local.PlatformSettings.Processes;
import social.feed.streams.sink.KafkaTopic;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;

/** {@code ./feed up}: runs the whole platform until it is stopped. */
@Command(
    name = "up",
    description = "Runs the whole platform until Ctrl-C.",
    mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
  /** The system property that names the checkout of the launcher. */
  private static final String HOME = "feed.home";

  private static final Duration LONGEST_FILL = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @ArgGroup private @Nullable Where where;

  @Mixin private Ports ports = new Ports();

  @Mixin private SuspicionOptions suspicion = new SuspicionOptions();

  @Option(
      names = "--celebrity-threshold",
      description =
          "the number of followers from which an author's posts are pulled by readers instead of pushed"
              + " to them (default: 100000, with --demo 40)")
  private @Nullable Long celebrityThreshold;

  @Option(
      names = "--demo",
      description =
          "fills an empty platform with a small world: sixty accounts, follows, posts, likes and"
              + " comments")
  private boolean demo;

  @Option(
      names = "--api",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "runs the API in N processes of their own, at N ports from --port on (default: in this process)")
  private int apis;

  @Option(
      names = "--multiplexers",
      paramLabel = "N",
      defaultValue = "0",
      description = "runs the multiplexer in N processes of their own (default: in this process)")
  private int multiplexers;

  @Option(
      names = "--no-xray",
      description =
          "does not follow requests to their effects for the page, which takes time and memory")
  private boolean hasNoXray;

  @Option(
      names = "--webhook",
      paramLabel = "URL",
      description =
          "calls this address, which may be on this machine, with every public event; may be repeated")
  private List<URI> webhooks = List.of();

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT[/TOPIC]",
      description =
          "publishes every public event in this topic, by default feed.events; several brokers are separated by"
              + " commas")
  private @Nullable String kafka;

  @Option(
      names = "--kafka-properties",
      paramLabel = "FILE",
      description = "properties of Kafka's own client for --kafka, such as those for TLS and SASL")
  private @Nullable Path kafkaProperties;

  @Option(
      names = "--private-events",
      paramLabel = "TYPE",
      split = ",",
      description =
          "gives --webhook and --kafka events of these types too, which are not public:"
              + " notification.created, account.suspicious")
  private List<String> privateEvents = List.of();

  @Option(
      names = "--search-url",
      paramLabel = "URL",
      description =
          "keeps the search index on this server of OpenSearch, for any number of processes of the API"
              + " (default: with the data, for the API in this process)")
  private @Nullable URI search;

  /** Selects a folder or memory. */
  static final class Where {
    @Option(names = "--data", description = "folder of all data (default: data in this checkout)")
    private @Nullable Path data;

    @Option(names = "--in-memory", description = "keep all data in memory, until the process ends")
    private boolean inMemory;
  }

  @Override
  public Integer call() throws InterruptedException {
    var out = spec.commandLine().getOut();
    var settings =
        new PlatformSettings(
            data(),
            ports.api(),
            ports.dynamodb(),
            ports.queue(),
            celebrityThreshold(),
            new Processes(apis, multiplexers),
            !hasNoXray,
            webhooks,
            kafka(),
            Optional.ofNullable(search),
            privateEvents(),
            suspicion.rules());
    var started = System.nanoTime();
    var parts = new PlatformParts();
    var stop = OrderlyStop.onSignal(parts, out);
    try {
      var platform = LocalPlatform.start(settings, parts);
      platform.verifyWith(new PlatformVerifier(platform, celebrityThreshold()));
      var seconds = (System.nanoTime() - started) / 1e9;
      var filled = demo ? "%n%s%n".formatted(fill(platform)) : "";
      print(out, platform, settings, seconds, filled);
    } catch (RuntimeException | Error e) {
      if (!stop.isUnderWay()) {
        parts.close();
        if (e instanceof PortTakenException taken) {
          throw ports.remedied(taken);
        }
        throw e;
      }
      // A failure during a stop needs no message.
    }
    stop.await();
    return 0;
  }

  private long celebrityThreshold() {
    if (celebrityThreshold != null) {
      return celebrityThreshold;
    }
    return demo ? DemoWorld.CELEBRITY_THRESHOLD : PlatformSettings.CELEBRITY_THRESHOLD;
  }

  private Optional<KafkaTopic> kafka() {
    if (kafka == null && kafkaProperties != null) {
      throw new ParameterException(spec.commandLine(), "--kafka-properties needs --kafka");
    }
    return Optional.ofNullable(kafka).map(address -> KafkaTopic.at(address, kafkaProperties()));
  }

  private Set<EventType> privateEvents() {
    try {
      var types = EventType.notPublic(privateEvents);
      if (!types.isEmpty() && webhooks.isEmpty() && kafka == null) {
        throw new ParameterException(
            spec.commandLine(), "--private-events needs --webhook or --kafka");
      }
      return types;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--private-events: " + e.getMessage(), e);
    }
  }

  private Map<String, String> kafkaProperties() {
    var properties = new Properties();
    if (kafkaProperties != null) {
      try (var file = Files.newBufferedReader(kafkaProperties)) {
        properties.load(file);
      } catch (IOException e) {
        throw new ParameterException(
            spec.commandLine(), "--kafka-properties cannot be read: " + kafkaProperties, e);
      }
    }
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(Function.identity(), properties::getProperty));
  }

  /** Fills the platform and returns what it did. */
  private static String fill(LocalPlatform platform) {
    var started = System.nanoTime();
    var table =
        new Table(platform.engine().directClient(), PlatformSettings.TABLE, Retry.standard());
    // Its effects are then handled in full batches, and do not compete with it.
    platform.hold(LONGEST_FILL);
    try {
      return new DemoWorld(table, Instant.now()).create()
          ? "The demo world is there after %.1f s. ./feed demo makes it move."
              .formatted((System.nanoTime() - started) / 1e9)
          : "The demo world was there before. ./feed demo makes it move.";
    } finally {
      platform.release();
    }
  }

  private Optional<Path> data() {
    if (where != null && where.data != null && where.data.toString().isBlank()) {
      throw new ParameterException(
          spec.commandLine(), "--data must name a folder, but is empty. Omit it for the default");
    }
    if (where == null || (where.data == null && !where.inMemory)) {
      return Optional.of(Path.of(System.getProperty(HOME, ""), "data").toAbsolutePath());
    }
    return Optional.ofNullable(where.data).map(path -> path.toAbsolutePath().normalize());
  }

  private static void print(
      PrintWriter out,
      LocalPlatform platform,
      PlatformSettings settings,
      double seconds,
      String filled) {
    out.printf(
        """
        Open %s in a browser.

        The feed platform is up after %.1f s.

          API           %s%s
          Swagger UI    %s/swagger-ui
          health        %s/health
          token         curl -s %s/v1/dev/tokens -H 'Content-Type: application/json' -d '{"user_id":"alice"}'
          DynamoDB      %s  (table %s, region us-east-1, any alphanumeric credentials)
          dead letters  %s
          events        %s
          data          %s%s
        %s
        Ctrl-C stops it.
        """,
        platform.api(),
        seconds,
        platform.api(),
        others(platform),
        platform.api(),
        platform.api(),
        platform.api(),
        platform.dynamodb(),
        PlatformSettings.TABLE,
        platform.deadLetters(),
        platform.events(),
        settings.data().map(Path::toString).orElse("in memory"),
        sinks(platform, settings),
        filled);
    out.flush();
  }

  /** Returns two lines for each webhook, and one for Kafka. */
  private static String sinks(LocalPlatform platform, PlatformSettings settings) {
    return Stream.concat(
            platform.webhooks().entrySet().stream()
                .map(
                    webhook ->
                        "\n  webhook       %s\n                signed with %s"
                            .formatted(webhook.getKey(), webhook.getValue().text())),
            settings.kafka().map("\n  Kafka         %s"::formatted).stream())
        .collect(Collectors.joining());
  }

  /** Returns a line for each further process of the API. */
  private static String others(LocalPlatform platform) {
    return platform.apis().stream()
        .skip(1)
        .map(address -> "\n                " + address)
        .collect(Collectors.joining());
  }
}
