package social.feed.table.webhook;

import static java.util.Objects.requireNonNull;
import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.hasEntry;
import static social.feed.table.kernel.store.Condition.less;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.sameEntry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Key;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookRegistry;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Webhooks of the deployment, of a bounded number. One registry row lists them. Each change is one
 * transaction with it, so the maximum is exact under concurrency, and one read of the registry says
 * whether anything has changed.
 */
public final class Webhooks {
  private static final RecordSchema<Webhook> SCHEMA = RecordSchema.of(Webhook.class);
  private static final RecordSchema<WebhookRegistry> REGISTRY =
      RecordSchema.of(WebhookRegistry.class);

  private final Table table;
  private final TableScanner scanner;
  private final int max;

  /**
   * @param max the maximum number of webhooks; each one costs a message of a queue and a call for
   *     each event that it wants
   */
  public Webhooks(Table table, int max) {
    this.table = table;
    this.scanner = new TableScanner(table);
    this.max = max;
  }

  /** Returns the registry, strongly consistent. One read unit. */
  public WebhookRegistry registry() {
    return table.get(WebhookRegistry.KEY).map(REGISTRY::mapToItem).orElse(WebhookRegistry.EMPTY);
  }

  /** Returns all webhooks, strongly consistent. One read unit, and one for each. */
  public StoredWebhooks all() {
    return of(registry());
  }

  /**
   * Returns the webhooks of a registry that still exist. A row that cannot be decoded hides no
   * other one. One read unit each.
   */
  public StoredWebhooks of(WebhookRegistry registry) {
    return at(registry.webhooks().keySet());
  }

  /** Returns those of some webhooks that exist, as {@link #of} does. One read unit each. */
  public StoredWebhooks at(Collection<String> webhookIds) {
    var ids = new HashMap<Key, String>();
    webhookIds.forEach(id -> ids.put(Webhook.key(id), id));
    var readable = new ArrayList<Webhook>();
    var unreadable = new ArrayList<String>();
    for (var item : scanner.at(ids.keySet())) {
      switch (item) {
        case TableScanner.Stored(_, Webhook webhook) -> readable.add(webhook);
        case TableScanner.Stored _, TableScanner.Unreadable _ ->
            unreadable.add(requireNonNull(ids.get(item.key())));
      }
    }
    readable.sort(Comparator.comparing(Webhook::createdAt).thenComparing(Webhook::webhookId));
    unreadable.sort(Comparator.naturalOrder());
    return new StoredWebhooks(List.copyOf(readable), List.copyOf(unreadable));
  }

  /** Returns a webhook, strongly consistent. One read unit. */
  public Optional<Webhook> get(String webhookId) {
    return table.get(Webhook.key(webhookId)).map(SCHEMA::mapToItem);
  }

  /**
   * Writes the registry where there is none, which {@link #creating} changes. One read unit, and
   * one write unit once in the life of a table.
   *
   * @return whether there can be one more webhook now
   */
  public boolean hasRoom() {
    var registry = table.get(WebhookRegistry.KEY).map(REGISTRY::mapToItem);
    if (registry.isEmpty()) {
      table.put(WebhookRegistry.EMPTY, absent());
    }
    return registry.orElse(WebhookRegistry.EMPTY).number() < max;
  }

  /** Writes a new webhook. One read unit and six write units, for rows up to 1 KB. */
  public WebhookCreation create(Webhook webhook) {
    return table
        .retry()
        .until(
            "Creation of " + webhook.key(),
            () -> {
              if (!hasRoom()) {
                return Optional.of(WebhookCreation.LIMIT_REACHED);
              }
              var outcome = creating(table.transaction().put(webhook, absent()), webhook).commit();
              return outcome.isDone() ? Optional.of(WebhookCreation.CREATED) : Optional.empty();
            });
  }

  /** Adds what belongs to a new webhook to the transaction that writes its row. */
  public Transaction creating(Transaction transaction, Webhook webhook) {
    return transaction
        .put(WebhookDeliveries.none(webhook.webhookId()), absent())
        .update(
            WebhookRegistry.KEY,
            new Update()
                .setEntry(
                    WebhookRegistry.WEBHOOKS,
                    webhook.webhookId(),
                    Timestamps.format(webhook.createdAt()))
                .add(WebhookRegistry.NUMBER, 1)
                .add(WebhookRegistry.VERSION, 1),
            present()
                .and(sameEntry(WebhookRegistry.WEBHOOKS, webhook.webhookId(), null))
                .and(less(WebhookRegistry.NUMBER, max)));
  }

  /**
   * Changes a webhook. The change is applied again to what a concurrent one left. One read unit and
   * four write units, for a row up to 1 KB; a change that changes nothing writes nothing.
   *
   * @return the webhook after it; empty when there is none
   * @throws ThrottledException when concurrent writes keep changing it
   */
  public Optional<Webhook> change(String webhookId, UnaryOperator<Webhook> change) {
    return table
        .retry()
        .until(
            "Change of " + Webhook.key(webhookId),
            () -> {
              var before = get(webhookId);
              return before.isEmpty() ? Optional.of(before) : tryToChange(before.get(), change);
            });
  }

  private Optional<Optional<Webhook>> tryToChange(Webhook before, UnaryOperator<Webhook> change) {
    var changed = change.apply(before);
    if (changed.equals(before)) {
      return Optional.of(Optional.of(before));
    }
    var after = changed.after(before.version());
    var outcome =
        table
            .transaction()
            .put(
                after,
                equal(Webhook.VERSION, AttributeValue.fromN(Long.toString(before.version()))))
            .update(WebhookRegistry.KEY, new Update().add(WebhookRegistry.VERSION, 1), present())
            .commit();
    return outcome.isDone() ? Optional.of(Optional.of(after)) : Optional.empty();
  }

  /**
   * Deletes a webhook with its deliveries, also where its row cannot be decoded. One read unit and
   * six write units.
   *
   * @return whether there was one
   */
  public boolean delete(String webhookId) {
    return table
        .retry()
        .until(
            "Deletion of " + Webhook.key(webhookId),
            () -> {
              if (table.get(Webhook.key(webhookId)).isEmpty()) {
                return Optional.of(false);
              }
              var outcome =
                  table
                      .transaction()
                      .delete(Webhook.key(webhookId), present())
                      .delete(WebhookDeliveries.key(webhookId))
                      .update(
                          WebhookRegistry.KEY,
                          new Update()
                              .removeEntry(WebhookRegistry.WEBHOOKS, webhookId)
                              .add(WebhookRegistry.NUMBER, -1)
                              .add(WebhookRegistry.VERSION, 1),
                          hasEntry(WebhookRegistry.WEBHOOKS, webhookId))
                      .commit();
              return outcome.isDone() ? Optional.of(true) : Optional.empty();
            });
  }
}
