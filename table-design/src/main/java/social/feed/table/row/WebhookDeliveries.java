package social.feed.table.row;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The last calls of a webhook: {@code WEBHOOK#<id> / DELIVERIES}. It exists as long as the webhook.
 * Failures are kept apart from successes, so that no number of successes hides one.
 *
 * @param webhookId the webhook
 * @param deliveries the last successes and the last failures, newest first
 * @param version grows by one with each change, from 1
 */
@StoredAs(RowKind.WEBHOOK_DELIVERIES)
public record WebhookDeliveries(String webhookId, List<WebhookDelivery> deliveries, long version)
    implements Row {
  /** The number of successes that are kept, and that of failures. Together at most 6 KB. */
  public static final int KEPT = 10;

  /** How long a call is kept at most. */
  public static final Duration KEPT_FOR = Duration.ofDays(7);

  public static final String VERSION = "version";

  private static final String SORT = "DELIVERIES";

  private static final Comparator<WebhookDelivery> NEWEST_FIRST =
      Comparator.comparing(WebhookDelivery::at).reversed().thenComparing(WebhookDelivery::eventId);

  public static Key key(String webhookId) {
    return new Key(Keys.webhook(webhookId), SORT);
  }

  /** Returns the row of a new webhook. */
  public static WebhookDeliveries none(String webhookId) {
    return new WebhookDeliveries(webhookId, List.of(), 1);
  }

  /** Returns the row after more calls. */
  public WebhookDeliveries and(List<WebhookDelivery> more, Instant now) {
    return new WebhookDeliveries(
        webhookId, newest(Stream.concat(deliveries.stream(), more.stream()), now), version + 1);
  }

  /** Returns those of some calls that are kept, newest first. */
  public static List<WebhookDelivery> newest(Stream<WebhookDelivery> all, Instant now) {
    var oldest = now.minus(KEPT_FOR);
    var sorted =
        all.filter(delivery -> delivery.at().isAfter(oldest)).sorted(NEWEST_FIRST).toList();
    return Stream.concat(
            sorted.stream().filter(WebhookDelivery::delivered).limit(KEPT),
            sorted.stream().filter(delivery -> !delivery.delivered()).limit(KEPT))
        .sorted(NEWEST_FIRST)
        .toList();
  }

  @Override
  public Key key() {
    return key(webhookId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    return List.of(Webhook.key(webhookId));
  }
}
