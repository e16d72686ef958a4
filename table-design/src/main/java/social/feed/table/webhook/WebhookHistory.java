package social.feed.table.webhook;

import static social.feed.table.kernel.store.Condition.sameVersion;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookDelivery;

/** The last calls of each webhook, in one row of at most 6 KB. */
public final class WebhookHistory {
  private static final RecordSchema<WebhookDeliveries> SCHEMA =
      RecordSchema.of(WebhookDeliveries.class);

  private final Table table;
  private final InstantSource clock;

  public WebhookHistory(Table table, InstantSource clock) {
    this.table = table;
    this.clock = clock;
  }

  /**
   * Returns the last calls of a webhook, newest first. Up to two read units.
   *
   * @return empty for a webhook that does not exist
   */
  public Optional<List<WebhookDelivery>> of(String webhookId) {
    return row(webhookId)
        .map(row -> WebhookDeliveries.newest(row.deliveries().stream(), clock.instant()));
  }

  /**
   * Adds calls of a webhook. Does nothing for one that was deleted. Up to two read units and six
   * write units, however many calls it adds.
   *
   * @throws ThrottledException when other processes keep adding
   */
  public void add(String webhookId, List<WebhookDelivery> calls) {
    var _ =
        table
            .retry()
            .until(
                "Deliveries of " + WebhookDeliveries.key(webhookId),
                () -> {
                  var row = row(webhookId);
                  if (row.isEmpty()) {
                    return Optional.of(false);
                  }
                  var more = row.get().and(calls, clock.instant());
                  var outcome =
                      table.put(more, sameVersion(WebhookDeliveries.VERSION, row.get().version()));
                  return outcome.isDone() ? Optional.of(true) : Optional.empty();
                });
  }

  private Optional<WebhookDeliveries> row(String webhookId) {
    return table.get(WebhookDeliveries.key(webhookId)).map(SCHEMA::mapToItem);
  }
}
