package social.feed.streams.lambda;

import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.event.DomainEvent;
import social.feed.streams.sink.ConfiguredSinks;
import social.feed.streams.sink.RegisteredWebhooks;
import social.feed.table.kernel.store.Table;
import social.feed.table.webhook.Webhooks;

/**
 * The sinks of a stage: those of the settings, and the webhooks of the table.
 *
 * @param configured those of the settings
 * @param webhooks absent where they are not called
 */
record FunctionSinks(ConfiguredSinks configured, Optional<RegisteredWebhooks> webhooks) {
  /** Returns those that the settings name. Reads nothing yet. */
  static FunctionSinks of(SinkSettings settings, SearchSettings search, Table table) {
    return new FunctionSinks(
        new ConfiguredSinks(settings.names(search), settings.notPublic()),
        settings.webhooks()
            // The API limits their number.
            ? Optional.of(new RegisteredWebhooks(new Webhooks(table, Integer.MAX_VALUE)))
            : Optional.empty());
  }

  /** Returns whether there may be any. */
  boolean exist() {
    return !configured.names().isEmpty() || webhooks.isPresent();
  }

  /** Returns whether anything wants events now. Reads the registry of webhooks once a second. */
  boolean areWanted() {
    return !configured.names().isEmpty() || webhooks.map(RegisteredWebhooks::isInUse).orElse(false);
  }

  /** Returns the names of the sinks that want an event. */
  Collection<String> wanting(DomainEvent event) {
    return Stream.concat(
            configured.wanting(event).stream(),
            webhooks.stream().flatMap(registered -> registered.wanting(event).stream()))
        .toList();
  }
}
