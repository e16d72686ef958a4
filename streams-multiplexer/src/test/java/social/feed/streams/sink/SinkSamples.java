package social.feed.streams.sink;

import com.sun.net.httpserver.HttpServer;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;

/** Events and clients that tests of several sinks use. */
public final class SinkSamples {
  private SinkSamples() {}

  /** Returns an event that all sinks may get. */
  public static DomainEvent accountErased() {
    return new DomainEvent(
        EventType.ACCOUNT_ERASED,
        Instant.EPOCH,
        "account:ann",
        "1",
        "ann",
        new TreeMap<>(Map.of("user_id", "ann")));
  }

  /** Returns a change of an account. */
  static DomainEvent changed(String name, int version) {
    return new DomainEvent(
        EventType.ACCOUNT_CHANGED,
        Instant.parse("2026-03-01T12:00:00Z"),
        "account:" + name,
        "%050d".formatted(version),
        name,
        new TreeMap<>(Map.of("user_id", name)));
  }

  /** Returns a client of a server that answers as EventBridge does. */
  static EventBridgeClient clientOf(HttpServer server) {
    return EventBridgeEvents.bounded(EventBridgeClient.builder())
        .httpClientBuilder(Apache5HttpClient.builder())
        .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .build();
  }
}
