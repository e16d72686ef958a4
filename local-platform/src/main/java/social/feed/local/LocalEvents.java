package social.feed.local;

import java.util.ArrayList;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import social.feed.event.DomainEvent;
import social.feed.streams.sink.ConfiguredSinks;
import social.feed.streams.sink.RegisteredWebhooks;

/**
 * The sinks of a platform: those that it was started with, and the webhooks of its table. Without
 * any there are no events.
 */
final class LocalEvents {
  private final ConfiguredSinks configured;
  private volatile @Nullable RegisteredWebhooks registered;

  LocalEvents(ConfiguredSinks configured) {
    this.configured = configured;
  }

  /** Returns those of a platform that has only these sinks, and no webhooks in its table. */
  static LocalEvents none() {
    return new LocalEvents(ConfiguredSinks.NONE);
  }

  /** Adds the webhooks of the table, once there is one. */
  void attach(RegisteredWebhooks webhooks) {
    registered = webhooks;
  }

  /** Returns whether there is a search index. */
  boolean haveSearch() {
    return configured.haveSearch();
  }

  /** Returns whether anything wants events. */
  boolean areWanted() {
    var webhooks = registered;
    return !configured.names().isEmpty() || (webhooks != null && webhooks.isInUse());
  }

  /** Returns the names of the sinks that want an event. */
  Collection<String> wanting(DomainEvent event) {
    var all = new ArrayList<>(configured.wanting(event));
    var webhooks = registered;
    if (webhooks != null) {
      all.addAll(webhooks.wanting(event));
    }
    return all;
  }
}
