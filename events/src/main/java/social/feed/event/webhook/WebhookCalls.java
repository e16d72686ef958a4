package social.feed.event.webhook;

import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
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
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;

/**
 * Calls webhooks: a POST of the event, signed as Standard Webhooks describes. Only a status from
 * 200 to 299 is a success. The answer is not read beyond its headers, redirects are not followed,
 * and a call ends after {@link #LONGEST}, however slowly the other side answers. Addresses inside
 * the network are refused.
 */
public final class WebhookCalls implements AutoCloseable {
  /** The time of a call with all its parts. */
  public static final Duration LONGEST = Duration.ofSeconds(10);

  /** The longest address in characters, in the form that is sent. */
  public static final int ADDRESS_MAX = 2_048;

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int PORT_MAX = 65_535;
  private static final int HEADERS = 100;
  private static final int LINE = 8_192;

  /** More than the webhooks of a platform have calls at once. */
  private static final int AT_ONCE = 128;

  private static final int SUCCESS = 200;
  private static final int NO_SUCCESS = 300;

  private final CloseableHttpClient client;
  private final AddressGuard guard;
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
            AddressGuard::lookedUpInTime, allowsPrivate ? _ -> true : AddressGuard::isPublic),
        allowsPrivate,
        clock,
        LONGEST);
  }

  WebhookCalls(AddressGuard guard, boolean allowsPrivate, Clock clock, Duration longest) {
    this.guard = guard;
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
    boolean isSecure = "https".equalsIgnoreCase(address.getScheme());
    if (!isSecure && !(allowsPrivate && "http".equalsIgnoreCase(address.getScheme()))) {
      throw new IllegalArgumentException(
          allowsPrivate ? "The address is not http or https" : "The address is not https");
    }
    if (address.getHost() == null || address.getUserInfo() != null) {
      throw new IllegalArgumentException("The address needs a host, and no user");
    }
    if (address.getPort() == 0 || address.getPort() > PORT_MAX) {
      throw new IllegalArgumentException("The port of the address is not from 1 to " + PORT_MAX);
    }
    if (address.getFragment() != null || address.toASCIIString().length() > ADDRESS_MAX) {
      throw new IllegalArgumentException(
          "The address has a fragment, or more than "
              + ADDRESS_MAX
              + " characters with others than ASCII encoded");
    }
  }

  /**
   * Checks also that the host of an address has addresses now, and only ones that may be called.
   * They are checked again at each call, because a name can be given other addresses.
   *
   * @throws IllegalArgumentException with a message for people
   */
  public void requireReachable(URI address) {
    require(address);
    try {
      // As the client does it, which takes an address in brackets without them.
      var host = address.getHost();
      var _ = guard.resolve(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "The host of the address is refused: " + e.getMessage(), e);
    }
  }

  /**
   * Calls a webhook with an event. Characters of the address that are not ASCII are sent in UTF-8,
   * percent-encoded. Returns at the latest after {@link #LONGEST}; a call that failed is an outcome
   * too, also one whose request cannot be made.
   *
   * @param secrets sign the call, each with a signature of its own; at least one
   */
  public WebhookOutcome call(URI address, List<WebhookSecret> secrets, DomainEvent event) {
    long start = System.nanoTime();
    try {
      int status = status(request(address, secrets, event));
      var took = Duration.ofNanos(System.nanoTime() - start);
      return status >= SUCCESS && status < NO_SUCCESS
          ? WebhookOutcome.delivered(status, took)
          : WebhookOutcome.refused(status, took);
    } catch (IOException e) {
      var took = Duration.ofNanos(System.nanoTime() - start);
      return WebhookOutcome.notCalled(
          took.compareTo(longest) < 0
              ? String.valueOf(e.getMessage())
              : "no answer within %d ms".formatted(longest.toMillis()),
          took);
    } catch (RuntimeException e) {
      // Such as an address of an earlier version, which checked less of it.
      return WebhookOutcome.notCalled(
          "the request cannot be made: " + e.getMessage(),
          Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private HttpPost request(URI address, List<WebhookSecret> secrets, DomainEvent event) {
    var body = EventJson.write(event);
    var now = Instant.now(clock);
    var request = new HttpPost(URI.create(address.toASCIIString()));
    request.setEntity(
        new StringEntity(body, ContentType.create("application/json", StandardCharsets.UTF_8)));
    request.setHeader("webhook-id", event.id());
    request.setHeader("webhook-timestamp", Long.toString(now.getEpochSecond()));
    request.setHeader(
        "webhook-signature",
        secrets.stream()
            .map(secret -> secret.signature(event.id(), now, body))
            .collect(Collectors.joining(" ")));
    return request;
  }

  /**
   * Ends in time in a thread of its own. While a connection is made, only an interrupt ends it, and
   * a host may have many addresses.
   */
  private int status(HttpPost request) throws IOException {
    var call = new FutureTask<>(() -> client.executeOpen(null, request, null).getCode());
    var thread = Thread.ofVirtual().name("webhook").start(call);
    try {
      return call.get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException runtime) {
        throw runtime;
      }
      throw e.getCause() instanceof IOException io ? io : new IOException(e);
    } catch (TimeoutException e) {
      throw new IOException("There is no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The process stops", e);
    } finally {
      // Ends the connection; closing the response would read all of it.
      request.cancel();
      thread.interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
