package social.feed.streams.lambda;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import social.feed.streams.sink.EventBridgeEvents;
import social.feed.streams.sink.KafkaEvents;
import social.feed.streams.sink.KafkaTopic;
import social.feed.streams.sink.Publisher;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * The publishers that the settings of a function name. They are no beans, since the functions of
 * the lanes have the same settings and publish nothing.
 */
final class Publishers implements AutoCloseable {
  private final Optional<EventBridgeClient> eventBridge;
  private final Optional<KafkaEvents> kafka;
  private final Map<String, Publisher> byName = new HashMap<>();

  /**
   * Creates them, and reads the secret of Kafka. They connect with their first event.
   *
   * @throws IllegalArgumentException for a setting that cannot be used
   */
  Publishers(SinkSettings settings) {
    this.eventBridge =
        Optional.ofNullable(settings.eventBus())
            .map(
                _ ->
                    EventBridgeEvents.bounded(EventBridgeClient.builder())
                        .httpClientBuilder(Apache5HttpClient.builder())
                        .build());
    this.kafka =
        Optional.ofNullable(settings.kafkaBrokers())
            .map(
                brokers ->
                    new KafkaEvents(
                        new KafkaTopic(brokers, settings.kafkaTopic(), properties(settings))));
    eventBridge.ifPresent(
        client ->
            byName.put(
                EventBridgeEvents.NAME,
                new EventBridgeEvents(client, String.valueOf(settings.eventBus()))));
    kafka.ifPresent(events -> byName.put(KafkaEvents.NAME, events));
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
        SecretsManagerClient.builder().httpClientBuilder(Apache5HttpClient.builder()).build()) {
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

  @Override
  public void close() {
    eventBridge.ifPresent(EventBridgeClient::close);
    kafka.ifPresent(KafkaEvents::close);
  }
}
