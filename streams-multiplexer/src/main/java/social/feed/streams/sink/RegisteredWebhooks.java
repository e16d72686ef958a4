package social.feed.streams.sink;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.event.DomainEvent;
import social.feed.table.row.Webhook;
import social.feed.table.webhook.Webhooks;

/**
 * The enabled webhooks of the table, as sinks. A process reads the registry again when it is asked
 * after a second, so each change applies within a second in all processes. One read unit a second
 * while there are changes of the table or events, and one for each webhook after a change of any.
 */
public final class RegisteredWebhooks {
  private static final String PREFIX = "webhook-";
  private static final Duration MAX_AGE = Duration.ofSeconds(1);

  private final Webhooks webhooks;
  private final LongSupplier nanos;
  private volatile @Nullable Known known;

  /**
   * What was read.
   *
   * @param version of the registry
   * @param checkedAt when this was known to be the latest version
   */
  private record Known(Map<String, Webhook> enabled, long version, long checkedAt) {}

  public RegisteredWebhooks(Webhooks webhooks) {
    this(webhooks, System::nanoTime);
  }

  /**
   * @param nanos a clock that only goes forward
   */
  public RegisteredWebhooks(Webhooks webhooks, LongSupplier nanos) {
    this.webhooks = webhooks;
    this.nanos = nanos;
  }

  /**
   * Returns whether there are any. While the registry cannot be read there may be some, and what
   * asks for them then fails and is repeated.
   */
  public boolean isInUse() {
    try {
      return !enabled().isEmpty();
    } catch (RuntimeException e) {
      return true;
    }
  }

  /**
   * Returns the names of those that want an event.
   *
   * @throws RuntimeException when the registry cannot be read
   */
  public List<String> wanting(DomainEvent event) {
    return enabled().entrySet().stream()
        .filter(sink -> sink.getValue().wants(event.type().eventName()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Returns the publisher of a sink. One for a webhook that was deleted or disabled, or no longer
   * wants an event, publishes nothing.
   *
   * @param calling makes the publisher of a webhook
   * @return empty for the name of another sink
   * @throws RuntimeException when the registry cannot be read
   */
  public Optional<Publisher> publisher(String sink, Function<Webhook, Publisher> calling) {
    if (!sink.startsWith(PREFIX)) {
      return Optional.empty();
    }
    var webhook = enabled().get(sink);
    return Optional.of(
        event -> {
          if (webhook != null && webhook.wants(event.type().eventName())) {
            calling.apply(webhook).publish(event);
          }
        });
  }

  private Map<String, Webhook> enabled() {
    var before = known;
    return before != null && isFresh(before) ? before.enabled() : checked().enabled();
  }

  /** One thread reads, and the others wait for it. */
  private synchronized Known checked() {
    var before = known;
    if (before != null && isFresh(before)) {
      return before;
    }
    long now = nanos.getAsLong();
    var registry = webhooks.registry();
    var enabled =
        before != null && before.version() == registry.version()
            ? before.enabled()
            : webhooks.of(registry).stream()
                .filter(Webhook::isEnabled)
                .collect(Collectors.toMap(webhook -> PREFIX + webhook.webhookId(), w -> w));
    var after = new Known(enabled, registry.version(), now);
    known = after;
    return after;
  }

  private boolean isFresh(Known read) {
    return nanos.getAsLong() - read.checkedAt() < MAX_AGE.toNanos();
  }
}
