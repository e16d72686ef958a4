package social.feed.api.webhook;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.time.ZoneOffset;
import social.feed.event.webhook.WebhookCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;

/** Registers what the routes of webhooks need. Without the setting the routes do not exist. */
@Factory
@Requires(property = "feed.webhooks.enabled", value = "true")
final class WebhookFactory {
  @Singleton
  Webhooks webhooks(Table table, WebhookConfiguration configuration) {
    return new Webhooks(table, configuration.max());
  }

  @Singleton
  WebhookHistory history(Table table, InstantSource clock) {
    return new WebhookHistory(table, clock);
  }

  @Singleton
  @Bean(preDestroy = "close")
  WebhookCalls calls(WebhookConfiguration configuration, InstantSource clock) {
    return new WebhookCalls(configuration.allowPrivate(), clock.withZone(ZoneOffset.UTC));
  }
}
