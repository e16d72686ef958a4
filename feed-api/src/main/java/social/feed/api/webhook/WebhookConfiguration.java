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
 * @param enabled whether the routes of webhooks exist. Only for a local platform ({@code
 *     feed.dynamodb.local}), whose multiplexer calls them: that of a deployed stage calls none yet,
 *     so the start fails
 * @param allowPrivate whether addresses inside the network may be called, and without TLS; only for
 *     a platform on one machine
 * @param max the maximum number of webhooks; each costs a message of a queue and a call for each
 *     event that it wants
 */
@ConfigurationProperties("feed.webhooks")
record WebhookConfiguration(
    @Bindable(defaultValue = "false") boolean enabled,
    @Bindable(defaultValue = "false") boolean allowPrivate,
    @Bindable(defaultValue = "20") @Min(1) @Max(1_000) int max) {

  /** Fails the start with a setting that has no effect. */
  @Context
  static final class Check {
    Check(WebhookConfiguration configuration, DynamoDbConfiguration table) {
      if (configuration.enabled() && !table.local()) {
        throw new ConfigurationException(
            "feed.webhooks.enabled needs feed.dynamodb.local: the multiplexer of a deployed stage"
                + " calls no webhooks yet");
      }
    }
  }
}
