package social.feed.streams.lambda;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.event.EventType;
import social.feed.streams.sink.EventBridgeEvents;
import social.feed.streams.sink.KafkaEvents;
import social.feed.streams.sink.KafkaTopic;
import social.feed.streams.sink.SearchSink;

/**
 * Where the function publishes events for other systems, from {@code feed.sinks.*} or {@code
 * FEED_SINKS_*}. Without a bus, without brokers, without webhooks and without a search index
 * ({@code feed.search.url}) there are no events.
 *
 * @param queueUrl queue between the lanes and the function that publishes
 * @param eventBus name or ARN of the bus of EventBridge that gets all public events
 * @param kafkaBrokers {@code HOST:PORT} of brokers of Kafka that get all public events, separated
 *     by commas
 * @param kafkaTopic the topic of Kafka
 * @param kafkaSecretArn ARN of a secret with further properties of Kafka's own client, one a line
 * @param privateEvents types of events that bus and brokers get although they are not public,
 *     separated by commas
 * @param webhooks whether the webhooks of the table are called, at public addresses only
 */
@Requires(property = "feed.multiplexer.dead-letter-queue-url")
@ConfigurationProperties("feed.sinks")
public record SinkSettings(
    @Nullable String queueUrl,
    @Nullable String eventBus,
    @Nullable String kafkaBrokers,
    @Bindable(defaultValue = KafkaTopic.DEFAULT_NAME) String kafkaTopic,
    @Nullable String kafkaSecretArn,
    @Nullable List<String> privateEvents,
    @Bindable(defaultValue = "false") boolean webhooks) {

  public SinkSettings {
    if (queueUrl == null && (eventBus != null || kafkaBrokers != null || webhooks)) {
      throw new IllegalArgumentException(
          "Set feed.sinks.queue-url to the queue of the events, or set none of"
              + " feed.sinks.event-bus, feed.sinks.kafka-brokers and feed.sinks.webhooks");
    }
    // Refuses what is no such type.
    var _ = notPublic(privateEvents);
  }

  private static Set<EventType> notPublic(@Nullable List<String> names) {
    return EventType.notPublic(names == null ? List.of() : names);
  }

  /** Returns the types that bus and brokers get although they are not public. */
  Set<EventType> notPublic() {
    return notPublic(privateEvents);
  }

  /** Returns the names of the sinks, with that of the search index if there is one. */
  List<String> names(SearchSettings search) {
    return Stream.of(
            Optional.ofNullable(eventBus).map(_ -> EventBridgeEvents.NAME),
            Optional.ofNullable(kafkaBrokers).map(_ -> KafkaEvents.NAME),
            search.address().map(_ -> SearchSink.NAME))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * Returns the URL of the queue of a function that has sinks.
   *
   * @throws IllegalArgumentException if there is none
   */
  String requiredQueueUrl() {
    if (queueUrl == null) {
      throw new IllegalArgumentException(
          "Set feed.sinks.queue-url to the queue of the events, or do not set feed.search.url");
    }
    return queueUrl;
  }
}
