package social.feed.streams.sink;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.event.DomainEvent;
import social.feed.table.kernel.schema.MalformedItemException;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookRegistry;
import social.feed.table.webhook.StoredWebhooks;
import social.feed.table.webhook.Webhooks;

/**
 * The webhooks of the table, as sinks. A process reads the registry again when it is asked after a
 * second, so each change applies within a second in all processes. One read unit a second while
 * there are changes of the table or events, and one for each webhook after a change of any. A
 * registry that cannot be read is asked for once a second too, however many records wait for it.
 *
 * <p>A webhook whose row cannot be decoded is paused like a disabled one, and the log names its key
 * once. Its row is then read once a second, because a correction by hand does not change the
 * version. While the registry itself cannot be decoded, the webhooks are those of the last one that
 * could, and all others are paused. A message to {@link #ALL} keeps each event for them.
 */
public final class RegisteredWebhooks {
  private static final String PREFIX = "webhook-";

  /**
   * The sink of a message to all webhooks that want its event. It waits while the registry cannot
   * be decoded, and becomes one for each webhook then. Those that were known get the event twice.
   */
  static final String ALL = PREFIX + "*";

  private static final Duration MAX_AGE = Duration.ofSeconds(1);

  private final Webhooks webhooks;
  private final LongSupplier nanos;
  private final Logger logger;
  private volatile @Nullable Known known;
  private volatile @Nullable Failed failed;

  /**
   * What was read.
   *
   * @param all by the names of their sinks
   * @param unreadable the ids of those whose row cannot be decoded
   * @param version of the registry
   * @param checkedAt when this was known to be the latest version
   * @param isWhole whether the registry could be decoded then; if not, there may be others
   */
  private record Known(
      Map<String, Webhook> all,
      Set<String> unreadable,
      long version,
      long checkedAt,
      boolean isWhole) {
    Publisher publisher(String sink, Function<Webhook, Publisher> calling) {
      if (sink.equals(ALL)) {
        return isWhole ? EXPANDED : UNREADABLE;
      }
      var webhook = all.get(sink);
      if (webhook != null) {
        return new OfWebhook(webhook, calling);
      }
      return isWhole && !unreadable.contains(sink.substring(PREFIX.length())) ? GONE : UNREADABLE;
    }

    /** Returns whether one of them may get events. */
    boolean hasEnabled() {
      return !isWhole || all.values().stream().anyMatch(Webhook::isEnabled);
    }
  }

  /**
   * A registry that could not be read.
   *
   * @param at when its read ended
   */
  private record Failed(RuntimeException reason, long at) {}

  /** Gives a webhook the events that it still wants, while it is enabled. */
  private record OfWebhook(Webhook webhook, Function<Webhook, Publisher> calling)
      implements Publisher {
    @Override
    public boolean wants(DomainEvent event) {
      return event.type().isWantedBy(webhook.eventTypes());
    }

    @Override
    public void publish(DomainEvent event) {
      if (wants(event)) {
        calling.apply(webhook).publish(event);
      }
    }

    @Override
    public boolean isPaused() {
      return !webhook.isEnabled();
    }
  }

  /** Takes the place of a webhook that was deleted. */
  private static final Publisher GONE =
      new Publisher() {
        @Override
        public boolean wants(DomainEvent event) {
          return false;
        }

        @Override
        public void publish(DomainEvent event) {}
      };

  /** Stands for all webhooks, and is not called. */
  private static final Publisher EXPANDED =
      _ -> {
        throw new IllegalStateException("An event is published to each webhook");
      };

  /** Takes the place of a webhook whose row cannot be decoded. Its events wait. */
  private static final Publisher UNREADABLE =
      new Publisher() {
        @Override
        public void publish(DomainEvent event) {
          throw new IllegalStateException("The row of the webhook cannot be decoded");
        }

        @Override
        public boolean isPaused() {
          return true;
        }
      };

  public RegisteredWebhooks(Webhooks webhooks) {
    this(webhooks, System::nanoTime);
  }

  /**
   * @param nanos a clock that only goes forward
   */
  public RegisteredWebhooks(Webhooks webhooks, LongSupplier nanos) {
    this(webhooks, nanos, LoggerFactory.getLogger(RegisteredWebhooks.class));
  }

  RegisteredWebhooks(Webhooks webhooks, LongSupplier nanos, Logger logger) {
    this.webhooks = webhooks;
    this.nanos = nanos;
    this.logger = logger;
  }

  /**
   * Returns whether any is enabled. While the registry cannot be read there may be some, and what
   * asks for them then fails and is repeated.
   */
  public boolean isInUse() {
    try {
      return read().hasEnabled();
    } catch (RuntimeException e) {
      return true;
    }
  }

  /**
   * Returns the names of those that are enabled and want an event. While there may be others,
   * {@link #ALL} is one of them.
   *
   * @throws RuntimeException when the registry cannot be read
   */
  public List<String> wanting(DomainEvent event) {
    var now = read();
    var names =
        now.all().entrySet().stream()
            .filter(sink -> sink.getValue().isEnabled())
            .filter(sink -> event.type().isWantedBy(sink.getValue().eventTypes()))
            .map(Map.Entry::getKey);
    return Stream.concat(names, now.isWhole() ? Stream.of() : Stream.of(ALL)).toList();
  }

  /** Returns whether a sink is a webhook of the table. */
  static boolean isOne(String sink) {
    return sink.startsWith(PREFIX);
  }

  /**
   * Returns the publisher of a sink. That of a webhook that is disabled, or whose row cannot be
   * decoded, is paused, as is that of {@link #ALL} while the registry cannot be decoded. One for a
   * webhook that was deleted wants no event.
   *
   * @param calling makes the publisher of a webhook
   * @return empty for the name of another sink
   * @throws RuntimeException when the registry cannot be read
   */
  public Optional<Publisher> publisher(String sink, Function<Webhook, Publisher> calling) {
    if (!isOne(sink)) {
      return Optional.empty();
    }
    return Optional.of(read().publisher(sink, calling));
  }

  private Known read() {
    var before = known;
    return before != null && isFresh(before.checkedAt()) ? before : checked();
  }

  /** One thread reads, and the others wait for it. */
  private synchronized Known checked() {
    var before = known;
    if (before != null && isFresh(before.checkedAt())) {
      return before;
    }
    var failure = failed;
    if (failure != null && isFresh(failure.at())) {
      throw failure.reason();
    }
    long now = nanos.getAsLong();
    try {
      var after = latest(before, now);
      warn(before == null ? Set.of() : before.unreadable(), after.unreadable());
      known = after;
      failed = null;
      return after;
    } catch (RuntimeException e) {
      failed = new Failed(e, nanos.getAsLong());
      throw e;
    }
  }

  private Known latest(@Nullable Known before, long now) {
    try {
      var registry = webhooks.registry();
      return before != null && before.isWhole() && before.version() == registry.version()
          ? corrected(before, now)
          : known(Map.of(), webhooks.of(registry), registry.version(), now);
    } catch (MalformedItemException e) {
      // As a failure it would make a dead letter of each event, also for other sinks.
      if (before == null || before.isWhole()) {
        logger.error(
            "Changes of webhooks have no effect, and the events of webhooks that were not known wait: the item at {} cannot be decoded",
            WebhookRegistry.KEY,
            e);
      }
      return before == null
          ? new Known(Map.of(), Set.of(), 0, now, false)
          : new Known(before.all(), before.unreadable(), before.version(), now, false);
    }
  }

  /** Reads the rows again that could not be decoded: a correction by hand has no new version. */
  private Known corrected(Known before, long now) {
    return known(before.all(), webhooks.at(before.unreadable()), before.version(), now);
  }

  private static Known known(
      Map<String, Webhook> before, StoredWebhooks read, long version, long now) {
    var all = new HashMap<>(before);
    read.readable().forEach(webhook -> all.put(PREFIX + webhook.webhookId(), webhook));
    return new Known(all, Set.copyOf(read.unreadable()), version, now, true);
  }

  /** Names a row once, although it is read again each second. */
  private void warn(Set<String> before, Set<String> now) {
    now.stream()
        .filter(id -> !before.contains(id))
        .forEach(
            id ->
                logger.warn(
                    "A webhook gets no events: the item at {} cannot be decoded", Webhook.key(id)));
  }

  private boolean isFresh(long at) {
    return nanos.getAsLong() - at < MAX_AGE.toNanos();
  }
}
