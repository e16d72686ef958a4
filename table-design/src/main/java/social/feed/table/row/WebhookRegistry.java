package social.feed.table.row;

import java.util.List;
import java.util.Map;
import java.util.Set;

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
