package social.feed.streams.lambda;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import social.feed.search.SearchIndex;
import social.feed.search.opensearch.OpenSearchIndex;
import social.feed.streams.sink.ConfiguredSinks;
import social.feed.streams.sink.EventBridgeEvents;
import social.feed.streams.sink.KafkaEvents;
import social.feed.streams.sink.KafkaTopic;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.SearchSink;
import social.feed.table.kernel.store.CallTimeouts;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * The publishers that the settings of a function name. They are no beans, since the functions of
 * the lanes have the same settings and publish nothing.
 */
final class Publishers implements AutoCloseable {
  /** The time of the call for Kafka's secret, with all attempts; the messages of a batch wait. */
  private static final Duration SECRET = Duration.ofSeconds(10);

  /** So long no further message waits for that call after it has failed. */
  private static final Duration FAILS_FOR = Duration.ofSeconds(5);

  private final Optional<EventBridgeClient> eventBridge;
  private final SinkSettings settings;
  private final LongSupplier nanos;
  private @Nullable KafkaEvents kafka;
  private @Nullable Failed failed;
  private final Optional<SearchIndex> index;
  private final Map<String, Publisher> byName = new HashMap<>();

  /**
   * A client of Kafka that could not be made.
   *
   * @param at when its secret was read
   */
  private record Failed(RuntimeException reason, long at) {}

  /**
   * Creates them. They connect with their first event, and Kafka's secret is read then. Without the
   * libraries of the index, which are not in the package of the function, this fails.
   */
  Publishers(SinkSettings settings, SearchSettings search) {
    this(settings, search, System::nanoTime);
  }

  /**
   * @param nanos a clock that only goes forward
   */
  Publishers(SinkSettings settings, SearchSettings search, LongSupplier nanos) {
    this.settings = settings;
    this.nanos = nanos;
    var given = new ConfiguredSinks(List.of(), settings.notPublic());
    this.eventBridge =
        Optional.ofNullable(settings.eventBus())
            .map(
                _ ->
                    EventBridgeEvents.bounded(EventBridgeClient.builder())
                        .httpClientBuilder(Apache5HttpClient.builder())
                        .build());
    eventBridge.ifPresent(
        client ->
            byName.put(
                EventBridgeEvents.NAME,
                given.dropping(
                    new EventBridgeEvents(client, String.valueOf(settings.eventBus())))));
    Optional.ofNullable(settings.kafkaBrokers())
        .ifPresent(
            brokers ->
                byName.put(
                    KafkaEvents.NAME, given.dropping(event -> kafka(brokers).publish(event))));
    this.index =
        search
            .address()
            .map(
                server ->
                    OpenSearchIndex.later(
                        server,
                        OpenSearchIndex.NAME,
                        InstantSource.system(),
                        OpenSearchIndex.LONGEST_SEARCH));
    index.ifPresent(there -> byName.put(SearchSink.NAME, new SearchSink(there)));
  }

  /**
   * A secret that cannot be read fails the events of Kafka only. One message reads it, and the
   * others of its batch wait for that.
   */
  private synchronized KafkaEvents kafka(String brokers) {
    var now = kafka;
    if (now != null) {
      return now;
    }
    var failure = failed;
    if (failure != null && nanos.getAsLong() - failure.at() < FAILS_FOR.toNanos()) {
      throw failure.reason();
    }
    try {
      var made =
          new KafkaEvents(new KafkaTopic(brokers, settings.kafkaTopic(), properties(settings)));
      kafka = made;
      return made;
    } catch (RuntimeException e) {
      failed = new Failed(e, nanos.getAsLong());
      throw e;
    }
  }

  /** Returns the publisher of a sink. */
  Optional<Publisher> of(String sink) {
    return Optional.ofNullable(byName.get(sink));
  }

  /** With TLS, unless the secret says otherwise: the function has no network of its own. */
  private static Map<String, String> properties(SinkSettings settings) {
    var properties = secret(settings.kafkaSecretArn());
    properties.putIfAbsent("security.protocol", "SSL");
    return properties;
  }

  /** A function has its variables in plain text, so they name the secret. */
  private static Map<String, String> secret(@Nullable String arn) {
    if (arn == null) {
      return new HashMap<>();
    }
    try (var client =
        SecretsManagerClient.builder()
            .httpClientBuilder(Apache5HttpClient.builder())
            .overrideConfiguration(o -> CallTimeouts.limit(o, SECRET))
            .build()) {
      return read(client.getSecretValue(secret -> secret.secretId(arn)).secretString());
    }
  }

  /** Returns the properties of a text in the format of the JDK. */
  private static Map<String, String> read(String text) {
    var properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var all = new HashMap<String, String>();
    properties.stringPropertyNames().forEach(name -> all.put(name, properties.getProperty(name)));
    return all;
  }

  private static void close(SearchIndex index) {
    try {
      index.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() {
    eventBridge.ifPresent(EventBridgeClient::close);
    if (kafka != null) {
      kafka.close();
    }
    index.ifPresent(Publishers::close);
  }
}
