package social.feed.streams.sink;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import social.feed.streams.event.DomainEvent;
import social.feed.streams.event.EventJson;

/**
 * Calls webhooks: a POST of the event, signed as Standard Webhooks describes. Only a status from
 * 200 to 299 is a success. The answer is not read beyond its headers, redirects are not followed,
 * and a call ends after {@link #LONGEST}, however slowly the other side answers. Addresses inside
 * the network are refused.
 */
public final class WebhookCalls implements AutoCloseable {
  /** The time of a call with all its parts. */
  static final Duration LONGEST = Duration.ofSeconds(10);

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int HEADERS = 100;
  private static final int LINE = 8_192;
  private static final int AT_ONCE = 64;
  private static final int SUCCESS = 200;
  private static final int NO_SUCCESS = 300;

  private final CloseableHttpClient client;
  private final Clock clock;
  private final Duration longest;
  private final boolean allowsPrivate;

  /**
   * @param allowsPrivate whether addresses inside the network may be called, and without TLS; only
   *     for a platform on one machine
   */
  public WebhookCalls(boolean allowsPrivate, Clock clock) {
    this(
        new AddressGuard(
            InetAddress::getAllByName, allowsPrivate ? _ -> true : AddressGuard::isPublic),
        allowsPrivate,
        clock,
        LONGEST);
  }

  WebhookCalls(AddressGuard guard, boolean allowsPrivate, Clock clock, Duration longest) {
    this.allowsPrivate = allowsPrivate;
    this.clock = clock;
    this.longest = longest;
    this.client =
        HttpClients.custom()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setDnsResolver(guard)
                    .setMaxConnTotal(AT_ONCE)
                    .setMaxConnPerRoute(AT_ONCE)
                    .setConnectionFactory(
                        ManagedHttpClientConnectionFactory.builder()
                            .http1Config(
                                Http1Config.custom()
                                    .setMaxHeaderCount(HEADERS)
                                    .setMaxLineLength(LINE)
                                    .build())
                            .build())
                    .setDefaultConnectionConfig(
                        ConnectionConfig.custom()
                            .setConnectTimeout(Timeout.of(CONNECT))
                            .setSocketTimeout(Timeout.of(longest))
                            .setTimeToLive(TimeValue.ofMinutes(1))
                            .build())
                    .build())
            .setDefaultRequestConfig(
                RequestConfig.custom().setResponseTimeout(Timeout.of(longest)).build())
            // An address is checked when a connection is made, so each call makes one.
            .setConnectionReuseStrategy((_, _, _) -> false)
            .setUserAgent("feed-webhooks")
            .disableAutomaticRetries()
            .disableContentCompression()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableRedirectHandling()
            .build();
  }

  /**
   * Checks the address of a webhook as far as it can be checked without a call.
   *
   * @throws IllegalArgumentException with a message for people
   */
  public void require(URI address) {
    boolean isSecure = "https".equals(address.getScheme());
    if (!isSecure && !(allowsPrivate && "http".equals(address.getScheme()))) {
      throw new IllegalArgumentException(
          allowsPrivate ? "The address is not http or https" : "The address is not https");
    }
    if (address.getHost() == null || address.getUserInfo() != null) {
      throw new IllegalArgumentException("The address needs a host, and no user");
    }
  }

  /** Returns the publisher of a webhook. */
  public Publisher to(URI address, WebhookSecret secret) {
    require(address);
    return event -> call(address, secret, event);
  }

  private void call(URI address, WebhookSecret secret, DomainEvent event) {
    var body = EventJson.write(event);
    var now = Instant.now(clock);
    var request = new HttpPost(address);
    request.setEntity(
        new StringEntity(body, ContentType.create("application/json", StandardCharsets.UTF_8)));
    request.setHeader("webhook-id", event.id());
    request.setHeader("webhook-timestamp", Long.toString(now.getEpochSecond()));
    request.setHeader("webhook-signature", secret.signature(event.id(), now, body));
    var isOver = new CompletableFuture<Void>();
    isOver
        .completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS)
        .thenRun(request::cancel);
    try {
      int status = client.executeOpen(null, request, null).getCode();
      if (status < SUCCESS || status >= NO_SUCCESS) {
        throw new IllegalStateException("The webhook answered " + status);
      }
    } catch (IOException e) {
      throw new IllegalStateException("The webhook could not be called: " + e.getMessage(), e);
    } finally {
      // Ends the connection; closing the response would read all of it.
      isOver.complete(null);
      request.cancel();
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
