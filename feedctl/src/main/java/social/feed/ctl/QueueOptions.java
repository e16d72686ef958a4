package social.feed.ctl;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import social.feed.engine.EngineClients;
import social.feed.local.PlatformSettings;
import social.feed.local.dlq.DeadLetterQueue;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.celebrity.SqsCelebrityEvents;
import social.feed.streams.sink.SinkQueue;
import social.feed.streams.sink.SqsSinkQueue;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** Options that select the dead-letter queue. */
final class QueueOptions {
  /** What a command prints that applied records without a queue for their events. */
  static final String UNPUBLISHED =
      "Their events were not published. If the platform has sinks, name their queue with"
          + " --sink-queue-url.%n".formatted();

  static final String EVENT_QUEUE_URL = "--event-queue-url";
  static final String SINK_QUEUE_URL = "--sink-queue-url";

  private static final String QUEUE_URL = "--queue-url";
  private static final String LOCAL = "http://127.0.0.1:9324";

  /** The hosts of AWS; any other host is a server like that of the local platform. */
  private static final Pattern AWS =
      Pattern.compile("sqs\\.([a-z0-9-]+)\\.amazonaws\\.com(\\.cn)?");

  @Option(
      names = "--queue",
      defaultValue = LOCAL,
      description = "endpoint of the platform's queues (default: ${DEFAULT-VALUE})")
  private URI endpoint = URI.create(LOCAL);

  @Option(
      names = QUEUE_URL,
      description =
          "URL of the queue itself instead, also one of AWS: with the region of the URL and the"
              + " credentials of this user")
  private @Nullable URI queueUrl;

  @Option(
      names = "--max",
      defaultValue = "1000",
      description = "the most dead letters to receive at a time (default: ${DEFAULT-VALUE})")
  private int max = 1000;

  /**
   * Opens the queue.
   *
   * @throws IllegalStateException if it does not exist; the message says what to do
   */
  DeadLetterQueue open() {
    if (max < 1) {
      throw new IllegalStateException("--max must be 1 or more, not " + max);
    }
    if (queueUrl == null) {
      var client = local(endpoint);
      return queue(client, platformQueue(client), Duration.ZERO);
    }
    boolean isOfAws = region(queueUrl).isPresent();
    return queue(client(queueUrl), queueUrl, isOfAws ? Duration.ofSeconds(1) : Duration.ZERO);
  }

  /**
   * Requires that the queue is where a table is. A dead letter that is applied to another table has
   * no effect there, and would be deleted.
   *
   * @throws IllegalStateException if it is not; the message says what to do
   */
  void requirePlaceOf(TableOptions table) {
    requirePlaceOf(table, QUEUE_URL, queueUrl == null ? endpoint : queueUrl);
  }

  /**
   * Requires that a queue is where a table is: both are of AWS in one region, or none is of AWS.
   *
   * @param option the option that names the queue
   * @param url the URL; without it nothing is required
   * @throws IllegalStateException if it is not; the message says what to do
   */
  static void requirePlaceOf(TableOptions table, String option, @Nullable URI url) {
    var ofQueue = url == null ? null : region(url).orElse(null);
    var ofTable = table.region();
    if (url == null || Objects.equals(ofQueue, ofTable)) {
      return;
    }
    if (ofTable == null) {
      throw new IllegalStateException(
          "The queue at %s is of AWS, but the table is that of a local platform. Name the table of the stage with --region %s and --table."
              .formatted(url, ofQueue));
    }
    throw new IllegalStateException(
        "--region names a table of AWS in %s, but the queue at %s is %s. Name the queue of the same stage with %s."
            .formatted(ofTable, url, ofQueue == null ? "not of AWS" : "in " + ofQueue, option));
  }

  /** Returns the platform's event queue, to which a redriven crossing is published. */
  CelebrityEvents events() {
    return event -> {
      if (queueUrl != null) {
        throw new IllegalStateException(
            "With --queue-url the event queue for the crossing is unknown; name it with"
                + " --event-queue-url");
      }
      try (var client = local(endpoint)) {
        var url = client.getQueueUrl(g -> g.queueName(PlatformSettings.EVENTS)).queueUrl();
        new SqsCelebrityEvents(client, url).publish(event);
      }
    };
  }

  /**
   * Returns an event queue by its URL, which may be one of AWS.
   *
   * @param url the URL; without it a crossing cannot be published
   */
  static CelebrityEvents eventsOf(@Nullable URI url) {
    return event -> {
      if (url == null) {
        throw new IllegalStateException(
            "The event queue for the crossing is unknown; name it with --event-queue-url");
      }
      try (var client = client(url)) {
        new SqsCelebrityEvents(client, url.toString()).publish(event);
      }
    };
  }

  /** Returns whether the queue of events on their way to sinks is known. */
  boolean knowsSinks(@Nullable URI url) {
    return url != null || queueUrl == null;
  }

  /**
   * Returns the queue of events on their way to sinks.
   *
   * @param url its URL, which may be one of AWS; without it that of the local platform
   */
  SinkQueue sinks(@Nullable URI url) {
    return (messages, delay) -> {
      if (url == null && queueUrl != null) {
        throw new IllegalStateException(
            "With --queue-url the queue of the sinks is unknown; name it with --sink-queue-url");
      }
      try (var client = url == null ? local(endpoint) : client(url)) {
        var found =
            url == null
                ? client.getQueueUrl(g -> g.queueName(PlatformSettings.SINKS)).queueUrl()
                : url.toString();
        new SqsSinkQueue(client, found).send(messages, delay);
      }
    };
  }

  /** Returns the region of a queue of AWS; empty for any other. */
  private static Optional<String> region(URI url) {
    var aws = AWS.matcher(String.valueOf(url.getHost()));
    return aws.matches() ? Optional.of(aws.group(1)) : Optional.empty();
  }

  private static SqsClient client(URI url) {
    return region(url).map(QueueOptions::ofAws).orElseGet(() -> local(url.resolve("/")));
  }

  private static SqsClient ofAws(String region) {
    return SqsClient.builder()
        .region(Region.of(region))
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }

  private static SqsClient local(URI server) {
    return EngineClients.local(SqsClient.builder(), server)
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }

  private URI platformQueue(SqsClient client) {
    return URI.create(
        reached(
            client,
            endpoint,
            () -> client.getQueueUrl(g -> g.queueName(PlatformSettings.DEAD_LETTERS)).queueUrl()));
  }

  private DeadLetterQueue queue(SqsClient client, URI url, Duration patience) {
    var _ = reached(client, url, () -> client.getQueueAttributes(g -> g.queueUrl(url.toString())));
    return new DeadLetterQueue(client, url.toString(), max, patience);
  }

  /** Returns the message for a server that does not answer. */
  static String unanswered(URI where) {
    return "No queue answers at "
        + where
        + (region(where).isPresent()
            ? ". Check the network, and AWS_ENDPOINT_URL if it is set."
            : ". Start the platform with ./feed up, or name the endpoint of its queues with --queue.");
  }

  private static <T> T reached(SqsClient client, URI where, Supplier<T> call) {
    try {
      return call.get();
    } catch (QueueDoesNotExistException e) {
      client.close();
      throw new IllegalStateException(
          "The queue does not exist at " + where + ". Name it with --queue-url.", e);
    } catch (SdkClientException e) {
      client.close();
      if (Remedies.refused(e)) {
        throw new IllegalStateException(unanswered(where), e);
      }
      throw e;
    }
  }
}
