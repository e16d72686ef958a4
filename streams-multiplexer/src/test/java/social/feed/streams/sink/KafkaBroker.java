package social.feed.streams.sink;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;
import social.feed.streams.sink.KafkaTopic.Times;
import social.feed.testkit.Polling;
import social.feed.testkit.ServerPort;

/**
 * A broker of Kafka on loopback, in a process of its own: it can be killed, started again on the
 * same data, and stopped in the middle as a broker that hangs.
 */
public final class KafkaBroker implements AutoCloseable {
  /** The topic of a new broker, with some partitions. */
  public static final String TOPIC = "feed.events";

  /** Of a client that gives up soon. */
  static final Times SHORT = new Times(Duration.ofSeconds(1), Duration.ofSeconds(2));

  private static final int PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(200);

  private final Path folder;
  private final int port;
  private final int controllerPort;
  private @Nullable Process process;

  private KafkaBroker(Path folder, int port, int controllerPort) {
    this.folder = folder;
    this.port = port;
    this.controllerPort = controllerPort;
  }

  /** Starts a broker with an empty topic, and returns when it answers. */
  public static KafkaBroker start(Path folder) {
    var broker =
        ServerPort.start(
            port ->
                ServerPort.start(controller -> started(new KafkaBroker(folder, port, controller))));
    try (var admin = broker.admin()) {
      await(admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all());
    }
    return broker;
  }

  /** Runs a broker by the file of its properties. */
  public static void main(String[] arguments) {
    kafka.Kafka.main(arguments);
  }

  private static KafkaBroker started(KafkaBroker broker) {
    broker.format();
    broker.start();
    return broker;
  }

  private void format() {
    // Each attempt to start has its own, which must be empty.
    var data = folder.resolve("data-" + port + "-" + controllerPort).toString();
    try {
      Files.writeString(
          settings(),
          """
          process.roles=broker,controller
          node.id=1
          controller.quorum.voters=1@127.0.0.1:%2$d
          controller.listener.names=CONTROLLER
          listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
          log.dirs=%3$s
          offsets.topic.replication.factor=1
          auto.create.topics.enable=false
          """
              .formatted(port, controllerPort, data));
      new Formatter()
          .setPrintStream(
              new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8))
          .setNodeId(1)
          .setClusterId(Uuid.randomUuid().toString())
          .setDirectories(List.of(data))
          .setMetadataLogDirectory(data)
          .setControllerListenerName("CONTROLLER")
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
          .run();
    } catch (Exception e) {
      throw new IllegalStateException("The folder of the broker cannot be prepared", e);
    }
  }

  private Path settings() {
    return folder.resolve("broker.properties");
  }

  private Path logFile() {
    return folder.resolve("broker.log");
  }

  private String log() {
    try {
      return Files.readString(logFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the process, and returns when it answers. */
  public void start() {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            KafkaBroker.class.getName(),
            settings().toString());
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(logFile().toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (var admin = admin()) {
      var nodes = admin.describeCluster().nodes();
      Polling.until(() -> nodes.isDone() || !running().isAlive());
      if (!running().isAlive()) {
        throw new IllegalStateException("The broker ended: " + log());
      }
      await(nodes);
    } catch (IllegalStateException e) {
      kill();
      throw e;
    }
  }

  /** Returns {@code HOST:PORT}. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** Returns a client that gives up soon. It has published an event: the first one takes longer. */
  KafkaEvents impatientClient() {
    var client = new KafkaEvents(KafkaTopic.at(address(), Map.of()), SHORT);
    warmUp(client);
    return client;
  }

  /**
   * Returns when a client has published an event. The first one of a broker and that of a client
   * may take longer than the client waits.
   */
  public static void warmUp(KafkaEvents client) {
    Polling.until(
        () -> {
          try {
            client.publish(SinkSamples.changed("warm-up", 1));
            return true;
          } catch (IllegalStateException e) {
            return false;
          }
        });
  }

  /** Ends the process without notice. What it has confirmed is in its files. */
  public void kill() {
    running().destroyForcibly().onExit().join();
    process = null;
  }

  /** Lets the broker hang: connections stay, and nothing is answered. */
  public void hang() {
    signal("STOP");
  }

  /** Ends a hang. */
  public void goOn() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + name, Long.toString(running().pid())).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill -%s ended with %d".formatted(name, code));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Process running() {
    return Optional.ofNullable(process).orElseThrow();
  }

  /** Returns all records of the topic, in the order of each partition. */
  public List<ConsumerRecord<String, String>> records() {
    var settings = new HashMap<String, Object>();
    settings.put("bootstrap.servers", address());
    settings.put("isolation.level", "read_committed");
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      var partitions =
          IntStream.range(0, PARTITIONS).mapToObj(i -> new TopicPartition(TOPIC, i)).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = consumer.endOffsets(partitions, PATIENCE);
      var all = new ArrayList<ConsumerRecord<String, String>>();
      Polling.until(
          () -> {
            consumer.poll(POLL).forEach(all::add);
            return ends.entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
          });
      return all;
    }
  }

  private Admin admin() {
    return Admin.create(
        Map.of(
            "bootstrap.servers",
            address(),
            "default.api.timeout.ms",
            (int) PATIENCE.toMillis(),
            "reconnect.backoff.max.ms",
            200));
  }

  private static void await(KafkaFuture<?> call) {
    try {
      var _ = call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("The broker does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (process != null) {
      kill();
    }
  }
}
