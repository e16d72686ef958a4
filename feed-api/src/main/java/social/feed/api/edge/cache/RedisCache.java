package social.feed.api.edge.cache;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;
import social.feed.table.kernel.id.Sha256;

/**
 * A Valkey or Redis server. The first call that fails or takes too long ends the connection, and
 * with it the calls that wait for the server. Until a new connection has answered, which a thread
 * of its own tries once a second, each call returns at once without a result. So a server that is
 * gone, stuck, full or refusing delays the requests of one moment, once.
 *
 * <p>One line is logged for each change of the state. {@code feed_cache_available} is 1 while the
 * cache answers, and {@code feed_cache_losses_total} counts how often it stopped. A script that
 * fails at what one key holds has no result, and the connection stays; {@code
 * feed_cache_errors_total} counts these.
 */
final class RedisCache implements SharedCache, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RedisCache.class);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

  /** 120 bits of a hash, in 20 characters. */
  private static final int HASH_BYTES = 15;

  /** What the other scripts call, so that a server which refuses one of it fails here too. */
  private static final String PROBE =
      """
      local second = redis.call('TIME')[1]
      redis.call('DEL', KEYS[1])
      redis.call('SET', KEYS[1], '', 'NX', 'PX', 1000)
      redis.call('GET', KEYS[1])
      redis.call('PTTL', KEYS[1])
      redis.call('SET', KEYS[1], '', 'PXAT', (second + 1) * 1000)
      return {1}
      """;

  /** Errors of the whole server. Older servers write them within the error of a script. */
  private static final Pattern OF_THE_SERVER =
      Pattern.compile("\\b(OOM|READONLY|NOPERM|NOAUTH|LOADING|BUSY|MISCONF|MASTERDOWN)\\b");

  private final RedisURI uri;
  private final Duration timeout;
  private final String table;
  private final RedisClient client;
  private final Counter losses;
  private final Counter errors;

  /** The connection that answers, absent while there is none. */
  private volatile @Nullable StatefulRedisConnection<String, String> connection;

  private volatile boolean isClosed;

  RedisCache(
      SharedCacheConfiguration configuration,
      DynamoDbConfiguration location,
      MeterRegistry registry) {
    this.uri = uri(configuration);
    this.timeout = configuration.timeout();
    this.table = location.region() + " " + location.table() + " ";
    this.client = RedisClient.create();
    client.setOptions(
        ClientOptions.builder()
            // One mechanism for a first, a lost and a stuck connection.
            .autoReconnect(false)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .socketOptions(SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT).build())
            .build());
    this.losses = registry.counter("feed.cache.losses");
    this.errors = registry.counter("feed.cache.errors");
    registry.gauge("feed.cache.available", this, cache -> cache.isAvailable() ? 1 : 0);
    client.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
            lose(lost, "it closed the connection");
          }
        });
    try {
      connect();
    } catch (RedisException e) {
      LOG.warn("The shared cache does not answer; this process uses its own: {}", reason(e));
      connectLater();
    }
  }

  private static RedisURI uri(SharedCacheConfiguration configuration) {
    RedisURI uri;
    try {
      uri = RedisURI.create(String.valueOf(configuration.url()));
    } catch (IllegalArgumentException _) {
      // Without the cause, whose message has the address and so the password.
      throw new ConfigurationException(
          "Correct these settings: feed.cache.url is no address of a server");
    }
    // The client ends a call after it, also one that may take longer.
    boolean isLonger = configuration.timeout().compareTo(CONNECT_TIMEOUT) > 0;
    uri.setTimeout(isLonger ? configuration.timeout() : CONNECT_TIMEOUT);
    uri.setClientName("feed-api");
    return uri;
  }

  @Override
  public boolean isAvailable() {
    return connection != null;
  }

  @Override
  public Duration patience() {
    return timeout;
  }

  @Override
  public String key(String kind, String id) {
    byte[] hash = Sha256.of(table + kind + " " + id);
    return "feed:"
        + kind
        + ":"
        + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash, HASH_BYTES));
  }

  @Override
  public Optional<List<Object>> run(String script, List<String> keys, String... arguments) {
    var current = connection;
    if (current == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(run(current, timeout, script, keys, arguments));
    } catch (RedisCommandInterruptedException _) {
      return Optional.empty();
    } catch (RedisException e) {
      if (isOfOneKey(e)) {
        errors.increment();
        LOG.debug("The shared cache refuses a script: {}", reason(e));
      } else {
        lose(current, reason(e));
      }
      return Optional.empty();
    }
  }

  /** Whether a script failed at what some key holds, while the server answers others. */
  private static boolean isOfOneKey(RedisException failure) {
    return rootOf(failure) instanceof RedisCommandExecutionException error
        && !OF_THE_SERVER.matcher(String.valueOf(error.getMessage())).find();
  }

  private static List<Object> run(
      StatefulRedisConnection<String, String> on,
      Duration patience,
      String script,
      List<String> keys,
      String... arguments) {
    try {
      return on.async()
          .<List<Object>>eval(
              script, ScriptOutputType.MULTI, keys.toArray(String[]::new), arguments)
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      throw new RedisCommandTimeoutException("no answer within " + patience.toMillis() + " ms");
    } catch (ExecutionException | CancellationException e) {
      throw new RedisException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RedisCommandInterruptedException(e);
    }
  }

  /** Goes on without the cache, once for each connection. */
  private void lose(Object lost, String reason) {
    synchronized (this) {
      if (isClosed || connection != lost) {
        return;
      }
      connection = null;
    }
    losses.increment();
    LOG.warn("The shared cache does not answer; this process uses its own: {}", reason);
    if (lost instanceof StatefulRedisConnection<?, ?> open) {
      open.closeAsync();
    }
    connectLater();
  }

  private void connectLater() {
    Thread.ofVirtual().name("shared-cache").start(this::connectUntilAnswered);
  }

  private void connectUntilAnswered() {
    while (!isClosed && connection == null) {
      LockSupport.parkNanos(BETWEEN_ATTEMPTS.toNanos());
      try {
        connect();
        // A connection that was lost since then has a thread of its own.
        return;
      } catch (RuntimeException e) {
        LOG.debug("The shared cache still does not answer: {}", reason(e));
      }
    }
  }

  private void connect() {
    var fresh = client.connect(uri);
    try {
      run(fresh, timeout, PROBE, List.of(key("probe", "")));
    } catch (RuntimeException e) {
      fresh.closeAsync();
      throw e;
    }
    synchronized (this) {
      if (isClosed || connection != null) {
        fresh.closeAsync();
        return;
      }
      connection = fresh;
    }
    LOG.info("The shared cache answers");
    if (!fresh.isOpen()) {
      lose(fresh, "it closed the connection");
    }
  }

  /** The message of the server or the network, which has no password. */
  private static String reason(Throwable failure) {
    var root = rootOf(failure);
    if (root instanceof IllegalStateException) {
      // The client finds its connection gone before it reads why the server refused.
      return "it ended the connection during the handshake; check password, user and TLS";
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      connection = null;
    }
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
  }
}
