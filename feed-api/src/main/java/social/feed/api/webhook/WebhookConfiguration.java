package social.feed.api.webhook;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;

/**
 * Webhooks that operators manage.
 *
 * @param enabled whether the routes of webhooks exist. On AWS the function of the sinks calls them
 *     ({@code feed.sinks.webhooks})
 * @param allowPrivate whether addresses inside the network may be called, and without TLS. Only for
 *     a platform on one machine ({@code feed.dynamodb.local}), or the start fails
 * @param max the maximum number of webhooks; each costs a message of a queue and a call for each
 *     event that it wants
 */
@ConfigurationProperties("feed.webhooks")
record WebhookConfiguration(
    @Bindable(defaultValue = "false") boolean enabled,
    @Bindable(defaultValue = "false") boolean allowPrivate,
    @Bindable(defaultValue = "20") @Min(1) @Max(1_000) int max) {

  /** Fails the start of a stage that would call addresses inside its network. */
  @Context
  static final class Check {
    Check(WebhookConfiguration configuration, DynamoDbConfiguration table) {
      if (configuration.enabled() && configuration.allowPrivate() && !table.local()) {
        throw new ConfigurationException(
            "feed.webhooks.allow-private needs feed.dynamodb.local: a deployed stage calls public"
                + " addresses only");
      }
    }
  }
}
