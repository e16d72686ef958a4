package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.event.DomainEvent;
import social.feed.event.webhook.WebhookCalls;
import social.feed.event.webhook.WebhookOutcome;
import social.feed.event.webhook.WebhookSecret;

/** What the status of a webhook says: about the event, or about the webhook. */
class WebhookPublisherTest {
  private static final DomainEvent EVENT = SinkSamples.accountErased();

  private final List<WebhookOutcome> seen = new ArrayList<>();
  private HttpServer receiver;

  @BeforeEach
  void listen() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 10);
    receiver.createContext(
        "/",
        exchange -> {
          int status = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    receiver.start();
  }

  @AfterEach
  void stop() {
    receiver.stop(0);
  }

  private WebhookPublisher at(int port, int status) {
    return new WebhookPublisher(
        new WebhookCalls(true, Clock.systemUTC()),
        URI.create("http://127.0.0.1:" + port + "/" + status),
        List.of(WebhookSecret.random()),
        (_, outcome) -> seen.add(outcome));
  }

  private WebhookPublisher answering(int status) {
    return at(receiver.getAddress().getPort(), status);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 402, 406, 409, 413, 415, 418, 422, 451, 499})
  void status_refusesTheEvent(int status) {
    assertThatExceptionOfType(RefusedEventException.class)
        .isThrownBy(() -> answering(status).publish(EVENT))
        .withMessageContaining("answered " + status);
    assertThat(seen).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 307, 401, 403, 404, 405, 407, 408, 410, 425, 429, 500, 502, 503})
  void status_isAFailureOfTheWebhook(int status) {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> answering(status).publish(EVENT))
        .withMessageContaining("answered " + status);
    assertThat(seen).hasSize(1);
  }

  @Test
  void noAnswer_isAFailureOfTheWebhook() {
    int port = receiver.getAddress().getPort();
    receiver.stop(0);

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> at(port, 200).publish(EVENT));
  }

  @Test
  void success_isNone() {
    answering(204).publish(EVENT);

    assertThat(seen).singleElement().satisfies(it -> assertThat(it.isDelivered()).isTrue());
  }
}
