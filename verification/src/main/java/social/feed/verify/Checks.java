package social.feed.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.Row;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookRegistry;
import social.feed.table.user.CelebrityRule;

/**
 * Everything that verify compares, one declaration a check: here, or in the class of its kind of
 * rows. A new derived row needs one declaration, and its place in {@link #all}. Checks that walk
 * through related rows in steps of their own are classes.
 */
final class Checks {
  private final TableScanner scanner;
  private final AuthorPosts authors;
  private final Optional<CelebrityRule> celebrities;
  private final Duration halfLife;
  private final Clock clock;

  Checks(
      TableScanner scanner,
      AuthorPosts authors,
      Optional<CelebrityRule> celebrities,
      Duration halfLife,
      Clock clock) {
    this.scanner = scanner;
    this.authors = authors;
    this.celebrities = celebrities;
    this.halfLife = halfLife;
    this.clock = clock;
  }

  /**
   * Returns the checks in the order of the table of results, which is the order of the repairs as
   * well. Index keys come first, because counts are read through indexes. Rows that are removed
   * take with them what was counted, so they precede the counts.
   */
  List<Check> all() {
    var accounts = new AccountChecks(scanner, clock);
    var relations = new RelationChecks(scanner);
    var counts = new CountChecks(scanner);
    var deliveries = new DeliveryChecks(scanner, authors, clock);
    var checks =
        new ArrayList<>(
            List.of(
                readableRows(),
                indexKeys(),
                accounts.erasedAccounts(),
                requiredRows(),
                accounts.handleClaims(),
                accounts.pictures(),
                webhooks(),
                accounts.suspicions(),
                relations.blocks(),
                tagRows(),
                counts.followQuotas(),
                relations.specialFollows(),
                counts.followingCount(),
                counts.followersCount(),
                counts.followersGained(),
                new TagUseCheck(scanner, halfLife, clock),
                counts.postsCount(),
                new MediaQuotaCheck(scanner),
                counts.likesCount(),
                counts.commentsCount(),
                counts.unreadCount(),
                deliveries.cleanUps(),
                deliveries.postNotifications(),
                deliveries.pullRegistry(),
                deliveries.validFeedEntries(),
                deliveries.feedBackfills(),
                new FeedCompleteCheck(scanner, authors, clock),
                accounts.erasureTimer(),
                new ErasureOrderCheck(scanner, clock)));
    celebrities.ifPresent(rule -> checks.add(accounts.celebrityFlags(rule)));
    return checks;
  }

  /**
   * Each item is a row that can be read and lies at its own key. An item that cannot is only
   * reported, because its correct content is unknown.
   */
  private static Check readableRows() {
    return Check.ofItem(
        "readable rows",
        TableScanner.Item.class,
        item ->
            item instanceof TableScanner.Unreadable(Key key, String problem)
                ? Optional.of(new Drift(key, key + ": " + problem, Repair.NONE))
                : Optional.empty());
  }

  /**
   * Each row is in the indexes it belongs to, at the key that it requires, and in no other. A read
   * notification is not in the index of unread ones; the tag of a private post is under no tag.
   * Reads nothing.
   */
  private static Check indexKeys() {
    return Check.ofItem(
        "index keys",
        TableScanner.Stored.class,
        stored ->
            stored.misplacements().isEmpty()
                ? Optional.empty()
                : Drift.at(
                        stored.row(),
                        stored.key() + ": " + String.join("; ", stored.misplacements()),
                        repairs -> repairs.rows().reindex(stored))
                    .map(Drift::byRow));
  }

  /**
   * Each row whose kind requires other rows has them. An erasure removes the profile first and the
   * other rows in parts, so they are left to it until it ends. Reads one unit a required row, and
   * one more for each account that is absent.
   */
  private Check requiredRows() {
    var orphans = new OrphanRepair(scanner);
    return check(
        "rows with their parents",
        DerivedRows.of(Row.class, row -> !row.parents().isEmpty())
            .expected(RequiredRow::of)
            .actual(required -> Stream.of(required.key()))
            .further(RequiredRow::erasureWhereAbsent)
            .difference(
                (row, required, there) ->
                    there.has(required.key()) || required.isBeingErased(there)
                        ? Optional.empty()
                        : Drift.at(
                            row,
                            row.key() + " needs " + required.key() + ", which is absent",
                            orphans.of(row, required.key()))));
  }

  /**
   * The registry lists exactly the webhooks, with their number. Their transactions keep that; a
   * webhook that is not listed would never be called, and could not be found. The registry is
   * written again. Each webhook has the row of its calls, or they would be lost; it is written
   * empty.
   */
  private Check webhooks() {
    return check(
        "webhooks and their registry",
        DerivedRows.of(WebhookRegistry.class)
            .expected(registry -> registry.webhooks().keySet().stream())
            .actual(id -> Stream.of(Webhook.key(id)))
            .difference(
                (registry, id, there) ->
                    there.has(Webhook.key(id))
                        ? Optional.empty()
                        : Drift.at(
                            registry,
                            registry.key() + " lists " + Webhook.key(id) + ", which is absent",
                            repairs -> replaceRegistry(repairs, now -> now.without(id)))),
        DerivedRows.of(
                WebhookRegistry.class, registry -> registry.number() != registry.webhooks().size())
            .actual(registry -> Stream.of(registry.key()))
            .difference(
                (registry, _, _) ->
                    Drift.at(
                        registry,
                        "%s has the number %d, but lists %d webhooks"
                            .formatted(
                                registry.key(), registry.number(), registry.webhooks().size()),
                        repairs -> replaceRegistry(repairs, WebhookRegistry::counted))),
        DerivedRows.of(Webhook.class)
            .actual(_ -> Stream.of(WebhookRegistry.KEY))
            .difference(
                (webhook, _, there) ->
                    there
                        .get(WebhookRegistry.KEY, WebhookRegistry.class)
                        .filter(registry -> !registry.lists(webhook))
                        .flatMap(
                            _ ->
                                Drift.at(
                                    webhook,
                                    webhook.key() + " is missing in the registry",
                                    repairs ->
                                        replaceRegistry(repairs, now -> now.with(webhook))))),
        DerivedRows.of(Webhook.class)
            .actual(webhook -> Stream.of(WebhookDeliveries.key(webhook.webhookId())))
            .difference(
                (webhook, _, there) ->
                    there.has(WebhookDeliveries.key(webhook.webhookId()))
                        ? Optional.empty()
                        : Drift.at(
                            webhook,
                            webhook.key() + " has no row for its calls",
                            repairs ->
                                repairs
                                    .rows()
                                    .insert(WebhookDeliveries.none(webhook.webhookId())))));
  }

  /** Each difference is repaired in what the repair of another one left. */
  private boolean replaceRegistry(Repairs repairs, UnaryOperator<WebhookRegistry> change) {
    return RelatedRows.at(List.of(WebhookRegistry.KEY), scanner)
        .get(WebhookRegistry.KEY, WebhookRegistry.class)
        .map(now -> repairs.rows().replace(now, change.apply(now)))
        .orElse(false);
  }

  /**
   * Each post has exactly the tag rows that its tags require. A tag row without a post is reported
   * by the check of parents.
   */
  private Check tagRows() {
    return check(
        "tag rows",
        DerivedRows.of(Post.class)
            .expected(post -> post.tags().stream().map(tag -> PostTag.of(post, tag)))
            .actual(tag -> Stream.of(tag.key()))
            .difference(
                (post, tag, there) ->
                    there.isUnreadable(tag.key())
                            || there.get(tag.key(), PostTag.class).filter(tag::equals).isPresent()
                        ? Optional.empty()
                        : Drift.at(
                            post,
                            tag.key() + " is absent or differs from its post",
                            repairs -> repairs.writeTag(tag))),
        DerivedRows.of(PostTag.class)
            .actual(tag -> Stream.of(Post.key(tag.postId())))
            .difference(
                (tag, _, there) ->
                    there
                        .get(Post.key(tag.postId()), Post.class)
                        .filter(post -> !post.tags().contains(tag.tag()))
                        .flatMap(
                            _ ->
                                Drift.at(
                                    tag,
                                    tag.key() + " is a tag that its post does not have",
                                    repairs -> repairs.rows().remove(tag)))));
  }

  private Check check(String name, DerivedRows<?, ?>... rules) {
    return DerivedRows.check(name, scanner, rules);
  }
}
