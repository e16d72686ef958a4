package social.feed.table.row;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.kernel.time.Timestamps;

/**
 * The list of all webhooks: {@code REGISTRY#WEBHOOKS / META}. There is one row. Each change of a
 * webhook is in one transaction with a change of this row, so a reader of an unchanged version
 * needs no other row.
 *
 * @param webhooks the id of each webhook, with the time of its creation
 * @param number how many there are
 * @param version grows by one with each change of any webhook
 */
@StoredAs(RowKind.WEBHOOK_REGISTRY)
public record WebhookRegistry(Map<String, String> webhooks, long number, long version)
    implements Row {
  public static final String WEBHOOKS = "webhooks";
  public static final String NUMBER = "number";
  public static final String VERSION = "version";
  public static final Key KEY = new Key(Keys.WEBHOOK_REGISTRY, Keys.META);

  /** The registry before the first webhook. */
  public static final WebhookRegistry EMPTY = new WebhookRegistry(Map.of(), 0, 0);

  /** Returns whether a webhook is listed. */
  public boolean lists(Webhook webhook) {
    return webhooks.containsKey(webhook.webhookId());
  }

  /** Returns the registry with a webhook and the right number, for repairs. */
  public WebhookRegistry with(Webhook webhook) {
    var all = new HashMap<>(webhooks);
    all.put(webhook.webhookId(), Timestamps.format(webhook.createdAt()));
    return of(all);
  }

  /** Returns the registry without a webhook and with the right number, for repairs. */
  public WebhookRegistry without(String webhookId) {
    var all = new HashMap<>(webhooks);
    all.remove(webhookId);
    return of(all);
  }

  /** Returns the registry with the right number, for repairs. */
  public WebhookRegistry counted() {
    return of(webhooks);
  }

  private WebhookRegistry of(Map<String, String> all) {
    return new WebhookRegistry(all, all.size(), version + 1);
  }

  @Override
  public Key key() {
    return KEY;
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // It belongs to the table as a whole.
    return List.of();
  }
}
