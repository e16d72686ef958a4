package social.feed.ctl.verify;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.counter.Fences.Place;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.post.RecentPosts;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Media;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Picture;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostTag;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookRegistry;
import social.feed.table.user.CelebrityRule;

/**
 * Everything that verify compares, one declaration a check. A new derived row needs one declaration
 * here, and its place in {@link #all}. Checks that walk through related rows in steps of their own
 * are classes.
 */
final class Checks {
  private final TableScanner scanner;
  private final AuthorPosts authors;
  private final Optional<CelebrityRule> celebrities;
  private final Duration halfLife;
  private final Clock clock = Clock.systemUTC();

  Checks(
      TableScanner scanner,
      AuthorPosts authors,
      Optional<CelebrityRule> celebrities,
      Duration halfLife) {
    this.scanner = scanner;
    this.authors = authors;
    this.celebrities = celebrities;
    this.halfLife = halfLife;
  }

  /**
   * Returns the checks in the order of the table of results, which is the order of the repairs as
   * well. Index keys come first, because counts are read through indexes. Rows that are removed
   * take with them what was counted, so they precede the counts.
   */
  List<Check> all() {
    var checks =
        new ArrayList<>(
            List.of(
                readableRows(),
                indexKeys(),
                erasedAccounts(),
                requiredRows(),
                handleClaims(),
                pictures(),
                webhooks(),
                blocks(),
                tagRows(),
                followQuotas(),
                specialFollows(),
                followingCount(),
                followersCount(),
                followersGained(),
                new TagUseCheck(scanner, halfLife, clock),
                postsCount(),
                likesCount(),
                commentsCount(),
                unreadCount(),
                postNotifications(),
                pullRegistry(),
                validFeedEntries(),
                feedBackfills(),
                new FeedCompleteCheck(scanner, authors, clock),
                erasureTimer()));
    celebrities.ifPresent(rule -> checks.add(celebrityFlags(rule)));
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
                    repairs -> repairs.rows().reindex(stored)));
  }

  /**
   * No row names an account whose erasure is finished and still remembered; a dead letter that is
   * redriven later could bring one back. The repair erases the row as the erasure would have done.
   * An erasure in progress is left alone.
   */
  private Check erasedAccounts() {
    return check(
        "erased accounts",
        DerivedRows.of(Row.class, row -> !row.referencedAccounts().isEmpty())
            .expected(row -> row.referencedAccounts().stream())
            .actual(id -> Stream.of(Erasure.key(id)))
            .difference(
                (row, id, there) ->
                    there
                        .get(Erasure.key(id), Erasure.class)
                        .filter(erasure -> erasure.step() == ErasureStep.ERASED)
                        .flatMap(
                            _ ->
                                Drift.at(
                                    row,
                                    row.key() + " names " + id + ", which was erased",
                                    repairs -> repairs.erase(id, row)))));
  }

  /** Each row whose kind requires other rows has them. */
  private Check requiredRows() {
    var orphans = new OrphanRepair(scanner);
    return check(
        "rows with their parents",
        DerivedRows.of(Row.class, row -> !row.parents().isEmpty())
            .expected(row -> row.parents().stream())
            .actual(Stream::of)
            .difference(
                (row, parent, related) ->
                    related.has(parent)
                        ? Optional.empty()
                        : Drift.at(
                            row,
                            row.key() + " needs " + parent + ", which is absent",
                            orphans.of(row, parent))));
  }

  /**
   * Each account has the claim for its handle, and each claim names the account that has the
   * handle. Reads one unit more for a handle that another account claims. A claim without such an
   * account is removed. An account without its claim gets it, unless another account has the same
   * handle.
   */
  private Check handleClaims() {
    return check(
        "handle claims",
        DerivedRows.of(User.class)
            .expected(user -> Stream.of(new HandleClaim(user.handle(), user.userId())))
            .actual(claim -> Stream.of(claim.key()))
            .difference(this::claimOf),
        DerivedRows.of(HandleClaim.class)
            .actual(claim -> Stream.of(User.key(claim.userId())))
            .difference(
                (claim, _, there) ->
                    isClaimCorrect(claim, there)
                        ? Optional.empty()
                        : Drift.at(
                            claim,
                            claim.key()
                                + " names "
                                + claim.userId()
                                + ", which does not have this handle",
                            repairs -> repairs.rows().remove(claim))));
  }

  private Optional<Drift> claimOf(User user, HandleClaim expected, RelatedRows there) {
    if (there.isUnreadable(expected.key())) {
      return Optional.empty();
    }
    var stored = there.get(expected.key(), HandleClaim.class);
    if (stored.isEmpty()) {
      return Drift.at(
          user,
          user.key() + " has no claim for its handle " + user.handle(),
          repairs -> repairs.rows().insert(expected));
    }
    var claim = stored.get();
    if (claim.equals(expected)) {
      return Optional.empty();
    }
    var other = List.of(User.key(claim.userId()));
    boolean isTaken =
        !claim.userId().equals(user.userId())
            && isClaimCorrect(claim, RelatedRows.at(other, scanner));
    return Drift.at(
        user,
        user.key() + " has the handle " + user.handle() + ", which " + claim.userId() + " claims",
        isTaken ? Repair.NONE : repairs -> repairs.rows().replace(claim, expected));
  }

  private static boolean isClaimCorrect(HandleClaim claim, RelatedRows there) {
    var account = User.key(claim.userId());
    return there.isUnreadable(account)
        || there
            .get(account, User.class)
            .filter(user -> HandleClaim.key(user.handle()).equals(claim.key()))
            .isPresent();
  }

  /**
   * Each picture of a profile is a file of the account that is this picture, and each file that is
   * a picture is that of its owner's profile. A picture without its file is removed from the
   * profile, and a file that no profile shows is removed: only its owner could read it.
   */
  private Check pictures() {
    return check(
        "pictures of profiles",
        DerivedRows.of(User.class)
            .expected(
                user ->
                    Arrays.stream(Picture.values())
                        .flatMap(picture -> ShownFile.of(user, picture).stream()))
            .actual(file -> Stream.of(Media.key(file.mediaId())))
            .difference(
                (user, file, there) ->
                    there.isUnreadable(Media.key(file.mediaId()))
                            || there
                                .get(Media.key(file.mediaId()), Media.class)
                                .filter(media -> media.isPictureOf(user.userId(), file.picture()))
                                .isPresent()
                        ? Optional.empty()
                        : Drift.at(
                            user,
                            "%s shows %s as its %s, which is no such file"
                                .formatted(
                                    user.key(),
                                    Media.key(file.mediaId()),
                                    file.picture().attribute()),
                            repairs -> repairs.removePicture(user, file.picture()))),
        DerivedRows.of(Media.class, media -> media.shownAs() != null)
            .actual(media -> Stream.of(User.key(media.ownerId())))
            .difference(
                (media, _, there) ->
                    there
                        .get(User.key(media.ownerId()), User.class)
                        .filter(
                            user ->
                                !ShownFile.of(user, requireNonNull(media.shownAs()))
                                    .map(ShownFile::mediaId)
                                    .equals(Optional.of(media.mediaId())))
                        .flatMap(
                            _ ->
                                Drift.at(
                                    media,
                                    media.key() + " is a picture that its owner does not show",
                                    repairs -> repairs.rows().remove(media)))));
  }

  private record ShownFile(Picture picture, String mediaId) {
    private static Optional<ShownFile> of(User user, Picture picture) {
      return user.shown(picture).map(file -> new ShownFile(picture, file.mediaId()));
    }
  }

  /**
   * The registry lists exactly the webhooks, with their number. Their transactions keep that; a
   * webhook that is not listed would never be called, and could not be found. The registry is
   * written again.
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
                                        replaceRegistry(repairs, now -> now.with(webhook))))));
  }

  /** Each difference is repaired in what the repair of another one left. */
  private boolean replaceRegistry(Repairs repairs, UnaryOperator<WebhookRegistry> change) {
    return RelatedRows.at(List.of(WebhookRegistry.KEY), scanner)
        .get(WebhookRegistry.KEY, WebhookRegistry.class)
        .map(now -> repairs.rows().replace(now, change.apply(now)))
        .orElse(false);
  }

  /**
   * Each block has its row on the other side, no follow edge crosses it, and neither quota says
   * that there is none; nor does the quota of an account that mutes. The block is the source: the
   * other rows are changed to agree with it, and a row on the other side without a block is
   * removed.
   */
  private Check blocks() {
    return check(
        "blocks",
        DerivedRows.of(Block.class)
            .actual(
                block ->
                    Stream.of(
                            Stream.of(block.mirrored().key()),
                            edgesAcross(block),
                            Stream.of(FollowQuota.key(block.userId())),
                            Stream.of(FollowQuota.key(block.blockedId())))
                        .flatMap(keys -> keys))
            .difference(
                (block, _, there) ->
                    Stream.of(
                            Stream.of(block.mirrored().key())
                                .filter(key -> !there.has(key))
                                .map(key -> block.key() + " has no row " + key),
                            edgesAcross(block)
                                .filter(there::has)
                                .map(edge -> block.key() + " is crossed by the edge " + edge),
                            Stream.of(block.userId(), block.blockedId())
                                .filter(id -> isUnrelated(id, there))
                                .map(FollowQuota::key)
                                .map(quota -> quota + " denies " + block.key()))
                        .flatMap(problems -> problems)
                        .findFirst()
                        .flatMap(
                            problem ->
                                Drift.at(
                                    block, problem, repairs -> repairs.blocks().repair(block)))),
        DerivedRows.of(BlockedBy.class)
            .actual(blocked -> Stream.of(blocked.mirrored().key()))
            .difference(
                (blocked, _, there) ->
                    there.has(blocked.mirrored().key())
                        ? Optional.empty()
                        : Drift.at(
                            blocked,
                            blocked.key() + " has no block " + blocked.mirrored().key(),
                            repairs -> repairs.rows().remove(blocked))),
        DerivedRows.of(Mute.class)
            .actual(mute -> Stream.of(FollowQuota.key(mute.userId())))
            .difference(
                (mute, _, there) ->
                    isUnrelated(mute.userId(), there)
                        ? Drift.at(
                            mute,
                            FollowQuota.key(mute.userId()) + " denies " + mute.key(),
                            repairs -> repairs.blocks().repair(mute))
                        : Optional.empty()));
  }

  /** Whether a quota says that no block and no mute names its user. */
  private static boolean isUnrelated(String userId, RelatedRows there) {
    var key = FollowQuota.key(userId);
    return !there.isUnreadable(key)
        && there.get(key, FollowQuota.class).filter(FollowQuota::isUnrelated).isPresent();
  }

  private static Stream<Key> edgesAcross(Block block) {
    return Stream.of(
        Follow.key(block.userId(), block.blockedId()),
        Follow.key(block.blockedId(), block.userId()));
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

  /**
   * Each follow quota is the number of the user's edges. Adds one query a user. The index may lag,
   * so a repair counts again after the stream was drained. It replaces the version that was read by
   * a later one, which the stream copies to the profile.
   */
  private Check followQuotas() {
    return check(
        "follow quotas",
        DerivedRows.of(User.class)
            .actual(user -> Stream.of(FollowQuota.key(user.userId())))
            .difference((user, _, there) -> quotaOf(user, there)));
  }

  private Optional<Drift> quotaOf(User user, RelatedRows there) {
    var key = FollowQuota.key(user.userId());
    var stored = there.get(key, FollowQuota.class);
    var quota = stored.orElseGet(() -> FollowQuota.none(user.userId()));
    long counted = edges(user);
    if (there.isUnreadable(key) || quota.following() == counted) {
      return Optional.empty();
    }
    // A lost quota begins again, but the profile takes only a version later than its copy.
    long version = Math.max(quota.version(), user.followingVersion()) + 1;
    var correct = quota.corrected(counted, version);
    return Drift.at(
        user,
        "%s is %d, but %d were counted".formatted(key, quota.following(), counted),
        repairs ->
            edges(user) == counted
                && (stored.isPresent()
                    ? repairs.rows().replace(quota, correct)
                    : repairs.rows().insert(correct)));
  }

  private long edges(User user) {
    return scanner.count(Index.FOLLOWING, Keys.follower(user.userId()));
  }

  /**
   * The edge, the follower's quota and the followee's list agree on each special follow. The edge
   * is the source.
   */
  private Check specialFollows() {
    return check(
        "special follows",
        DerivedRows.of(Follow.class, edge -> edge.specialSince() != null)
            .actual(
                edge ->
                    Stream.of(
                        SpecialFollower.key(edge.followerId(), edge.followeeId()),
                        FollowQuota.key(edge.followerId())))
            .difference((edge, _, there) -> specialFollow(edge, there)),
        DerivedRows.of(SpecialFollower.class)
            .expected(row -> Stream.of(new Edge(row.followerId(), row.followeeId())))
            .actual(edge -> Stream.of(edge.key()))
            .difference(Checks::specialEdge),
        DerivedRows.of(FollowQuota.class, quota -> !quota.specials().isEmpty())
            .expected(quota -> quota.specials().stream().map(id -> new Edge(quota.userId(), id)))
            .actual(edge -> Stream.of(edge.key()))
            .difference(Checks::specialEdge));
  }

  private record Edge(String followerId, String followeeId) {
    private Key key() {
      return Follow.key(followerId, followeeId);
    }
  }

  private static Optional<Drift> specialFollow(Follow edge, RelatedRows there) {
    boolean isListed =
        there
            .get(SpecialFollower.key(edge.followerId(), edge.followeeId()), SpecialFollower.class)
            .filter(row -> row.createdAt().equals(edge.specialSince()))
            .isPresent();
    boolean isInQuota =
        there
            .get(FollowQuota.key(edge.followerId()), FollowQuota.class)
            .filter(quota -> quota.specials().contains(edge.followeeId()))
            .isPresent();
    return isListed && isInQuota
        ? Optional.empty()
        : Drift.at(
            edge,
            edge.key()
                + " is special, but "
                + (isListed ? "its quota" : "its row at the followee")
                + " does not agree",
            repairs -> repairs.specialFollows().repair(edge.followerId(), edge.followeeId()));
  }

  private static Optional<Drift> specialEdge(Row row, Edge edge, RelatedRows there) {
    return there.get(edge.key(), Follow.class).map(Follow::specialSince).isPresent()
        ? Optional.empty()
        : Drift.at(
            row,
            row.key() + " calls the edge " + edge.key() + " special, which it is not",
            repairs -> repairs.specialFollows().repair(edge.followerId(), edge.followeeId()));
  }

  /** The copy of the follow quota in the profile is the number of the user's edges. */
  private Check followingCount() {
    return counter(
        User.FOLLOWING_COUNT,
        User.class,
        User::followingCount,
        this::edges,
        _ -> Set.of(),
        Repairs::copyQuota);
  }

  private Check followersCount() {
    return counter(
        User.FOLLOWERS_COUNT,
        User.class,
        User::followersCount,
        user -> scanner.count(Keys.followee(user.userId()), Keys.FOLLOWERS),
        user -> Keys.followee(user.userId()));
  }

  /**
   * The followers that an account gained in a month are the edges that began in it. Counts the
   * edges of each row of a month through their index. For each account, one query a month finds the
   * months that have edges, and one read unit each finds their row. The index may lag, so a repair
   * counts again before it writes. It sets the number, or writes the row with the shard checkpoints
   * of the account, which cover the same edges.
   */
  private Check followersGained() {
    return check(
        "followers gained",
        counted(
            TopAuthor.GAINED,
            TopAuthor.class,
            TopAuthor::gained,
            this::gained,
            month -> Set.of(Place.counts(Keys.followee(month.userId()))),
            (repairs, month, count) ->
                gained(month) == count
                    && repairs
                        .recounts()
                        .setRanked(month, TopAuthor.GAINED, count - month.gained())),
        DerivedRows.of(User.class)
            .expected(this::monthsWithNewFollowers)
            .actual(month -> Stream.of(month.key()))
            .difference(
                (user, month, there) ->
                    there.has(month.key()) ? Optional.empty() : lostMonth(user, month)));
  }

  private Stream<TopAuthor> monthsWithNewFollowers(User user) {
    return scanner.beginnings(Index.FOLLOWERS, Keys.followee(user.userId()), Keys.MONTH).stream()
        .map(month -> TopAuthor.empty(month, user.userId(), user.marks()));
  }

  private long gained(TopAuthor month) {
    return scanner.count(Index.FOLLOWERS, Keys.followee(month.userId()), month.month());
  }

  private Optional<Drift> lostMonth(User user, TopAuthor empty) {
    long counted = gained(empty);
    return counted == 0
        ? Optional.empty()
        : Drift.at(
                user,
                "%s gained %d followers in %s, but no row counts them"
                    .formatted(user.key(), counted, empty.month()),
                repairs ->
                    gained(empty) == counted
                        && repairs.recounts().setRanked(empty, TopAuthor.GAINED, counted))
            .map(drift -> drift.behind(Set.of(Place.counts(Keys.followee(user.userId())))));
  }

  private Check postsCount() {
    ToLongFunction<User> count =
        user -> scanner.count(Index.POSTS_BY_AUTHOR, Keys.user(user.userId()));
    return counter(
        User.POSTS_COUNT,
        User.class,
        User::postsCount,
        count,
        user -> Set.of(Place.effects(Keys.user(user.userId()))),
        (repairs, user, counted) -> repairs.recountPosts(user, counted, count));
  }

  private Check likesCount() {
    return counter(
        Post.LIKES_COUNT,
        Post.class,
        Post::likesCount,
        post -> scanner.count(Keys.post(post.postId()), Keys.LIKES),
        post -> Keys.post(post.postId()));
  }

  private Check commentsCount() {
    return counter(
        Post.COMMENTS_COUNT,
        Post.class,
        Post::commentsCount,
        post -> scanner.count(Keys.post(post.postId()), Keys.COMMENTS),
        post -> Keys.post(post.postId()));
  }

  /**
   * Each inbox is the number of the account's unread notifications that say that they are counted,
   * and a complete inbox counts all. One read unit for each 4 KB of all its notifications, and two
   * for each account with unread ones. An account with such a notification has an inbox: one is
   * inserted, and the next round counts for it. The record that orders the work on an inbox may be
   * lost with a batch that the event source gave up; the repair orders it again. Work that is still
   * under way is reported as well, and another order does no harm.
   */
  private Check unreadCount() {
    ToLongFunction<Inbox> count =
        inbox ->
            scanner.count(
                Keys.user(inbox.userId()),
                Keys.NOTIFICATIONS,
                Notification.class,
                Notification::isCountedUnread);
    return check(
        Inbox.UNREAD,
        counted(
            Inbox.UNREAD,
            Inbox.class,
            Inbox::unread,
            count,
            inbox -> Set.of(Place.counts(Keys.user(inbox.userId()))),
            (repairs, inbox, counted) -> repairs.recountUnread(inbox, counted, count)),
        DerivedRows.of(Inbox.class, inbox -> !inbox.complete() || inbox.readUpTo() != null)
            .difference(
                (inbox, _, _) ->
                    Drift.at(
                        inbox,
                        inbox.key() + " waits for work on its notifications",
                        repairs -> repairs.resume(inbox))),
        DerivedRows.of(Notification.class, Notification::isCountedUnread)
            .actual(
                notification ->
                    Stream.of(Inbox.key(notification.userId()), User.key(notification.userId())))
            .difference(
                (notification, _, there) ->
                    there.has(Inbox.key(notification.userId()))
                            || !there.has(User.key(notification.userId()))
                        ? Optional.empty()
                        : Drift.at(
                            notification,
                            notification.key() + " has no inbox that counts it",
                            repairs -> repairs.rows().insert(Inbox.empty(notification.userId())))),
        DerivedRows.of(Notification.class, Notification::isUncounted)
            .actual(notification -> Stream.of(Inbox.key(notification.userId())))
            .difference(
                (notification, _, there) ->
                    there
                        .get(Inbox.key(notification.userId()), Inbox.class)
                        .filter(Inbox::complete)
                        .flatMap(
                            inbox ->
                                Drift.at(
                                    notification,
                                    notification.key() + " is not counted in " + inbox.key(),
                                    repairs -> repairs.countAgain(inbox)))));
  }

  /** Sets a stored number to a count. */
  @FunctionalInterface
  private interface Recount<R extends Row> {
    boolean apply(Repairs repairs, R read, long counted);
  }

  /**
   * Returns the check of a counter with checkpoints.
   *
   * @param partition the partition whose rows are counted
   */
  private <R extends Row> Check counter(
      String attribute,
      Class<R> type,
      ToLongFunction<R> stored,
      ToLongFunction<R> count,
      Function<R, String> partition) {
    return counter(
        attribute,
        type,
        stored,
        count,
        row -> Set.of(Place.counts(partition.apply(row))),
        (repairs, row, counted) -> repairs.recount(row, attribute, counted));
  }

  private <R extends Row> Check counter(
      String attribute,
      Class<R> type,
      ToLongFunction<R> stored,
      ToLongFunction<R> count,
      Function<R, Set<Place>> places,
      Recount<R> repair) {
    return check(attribute, counted(attribute, type, stored, count, places, repair));
  }

  /** Returns the rule of a stored number, which is the count of some rows. One query a row. */
  private static <R extends Row> DerivedRows<R, R> counted(
      String attribute,
      Class<R> type,
      ToLongFunction<R> stored,
      ToLongFunction<R> count,
      Function<R, Set<Place>> places,
      Recount<R> repair) {
    return DerivedRows.of(type)
        .difference(
            (row, _, _) -> {
              long value = stored.applyAsLong(row);
              long counted = count.applyAsLong(row);
              var problem =
                  "%s: %s is %d, but %d were counted"
                      .formatted(row.key(), attribute, value, counted);
              return value == counted
                  ? Optional.empty()
                  : Drift.at(row, problem, repairs -> repair.apply(repairs, row, counted))
                      .map(drift -> drift.behind(places.apply(row)));
            });
  }

  /**
   * Each reader who was notified of a post is recorded at the post, and has the notification,
   * unless others must not see the post. Reads four units a record, and one a notification. The
   * record is the source: a notification without a record gets one. A record is written before its
   * notification. Therefore a reader who ended the special follow meanwhile may have a record and
   * no notification; that is no drift. The same holds for a reader who muted the author: a post
   * that was hidden and is shown again does not notify a second time. No account has a notification
   * of a mention in a post that others must not see; one unit each.
   */
  private Check postNotifications() {
    return check(
        "post notifications",
        DerivedRows.of(PostNotification.class)
            .actual(
                record ->
                    Stream.of(
                        Post.key(record.postId()),
                        record.notification().key(),
                        SpecialFollower.key(record.readerId(), record.authorId()),
                        Mute.key(record.readerId(), record.authorId())))
            .difference((record, _, there) -> postNotification(record, there)),
        DerivedRows.of(Notification.class, notification -> recordOf(notification) != null)
            .expected(notification -> Stream.ofNullable(recordOf(notification)))
            .actual(record -> Stream.of(record.key()))
            .difference(
                (notification, record, there) ->
                    there.has(record.key())
                        ? Optional.empty()
                        : Drift.at(
                            notification,
                            notification.key() + " is not recorded at " + record.key(),
                            repairs -> repairs.rows().insert(record))),
        DerivedRows.of(Notification.class, Checks::isOfMention)
            .actual(mention -> Stream.of(mentioningPost(mention)))
            .difference(
                (_, mention, there) ->
                    isVisible(mentioningPost(mention), there)
                        ? Optional.empty()
                        : Drift.at(
                            mention,
                            "%s notifies of %s, which others must not see"
                                .formatted(mention.key(), mentioningPost(mention)),
                            repairs -> repairs.retractMention(mention))));
  }

  private static boolean isOfMention(Notification notification) {
    return notification.type() == NotificationType.MENTION && notification.postId() != null;
  }

  private static Key mentioningPost(Notification mention) {
    return Post.key(requireNonNull(mention.postId()));
  }

  private static boolean isVisible(Key post, RelatedRows there) {
    return there.isUnreadable(post)
        || there
            .get(post, Post.class)
            .filter(found -> found.visibility() != Visibility.PRIVATE)
            .isPresent();
  }

  private static @Nullable PostNotification recordOf(Notification notification) {
    return notification.type() != NotificationType.POST || notification.postId() == null
        ? null
        : new PostNotification(
            notification.postId(),
            notification.userId(),
            notification.actorId(),
            notification.createdAt(),
            notification.expiresAt());
  }

  private Optional<Drift> postNotification(PostNotification record, RelatedRows there) {
    var post = Post.key(record.postId());
    boolean isDelivered = there.has(record.notification().key());
    if (!isVisible(post, there)) {
      return isDelivered
          ? Drift.at(
              record,
              record.key() + " notifies of " + post + ", which others must not see",
              repairs -> repairs.retract(record))
          : Optional.empty();
    }
    boolean isExpired = record.expiresAt() <= clock.instant().getEpochSecond();
    boolean isDue =
        there.has(SpecialFollower.key(record.readerId(), record.authorId()))
            && !there.has(Mute.key(record.readerId(), record.authorId()));
    return isExpired || isDelivered || !isDue
        ? Optional.empty()
        : Drift.at(
            record,
            record.key() + " has not reached its reader",
            repairs -> repairs.rows().insert(record.notification()));
  }

  /**
   * The pull registry pulls the posts of each celebrity and of no other account, and covers every
   * pulled post that feeds store. Reads one unit an account and a pulled post. The flags and the
   * posts are the source.
   */
  private Check pullRegistry() {
    return check(
        "pull registry",
        DerivedRows.of(User.class)
            .actual(user -> Stream.of(PulledAuthor.key(user.userId())))
            .difference(
                (user, _, there) -> {
                  var key = PulledAuthor.key(user.userId());
                  boolean isPulled =
                      there
                          .get(key, PulledAuthor.class)
                          .filter(author -> author.pullUntil() == null)
                          .isPresent();
                  return there.isUnreadable(key) || isPulled == user.isCelebrity()
                      ? Optional.empty()
                      : Drift.at(
                          user,
                          "%s is %s celebrity, but the pull registry does not agree"
                              .formatted(user.key(), user.isCelebrity() ? "a" : "no"),
                          repairs -> repairs.registerFlag(user));
                }),
        DerivedRows.of(
                Post.class,
                post ->
                    post.delivery() == FanOutMode.PULL
                        && !post.createdAt().isBefore(FeedEntry.horizon(clock.instant())))
            .actual(post -> Stream.of(PulledAuthor.key(post.authorId())))
            .difference(
                (post, _, there) -> {
                  var key = PulledAuthor.key(post.authorId());
                  boolean isCovered =
                      there
                          .get(key, PulledAuthor.class)
                          .filter(author -> author.covers(post.createdAt()))
                          .isPresent();
                  return there.isUnreadable(key) || isCovered
                      ? Optional.empty()
                      : Drift.at(
                          post,
                          post.key() + " is pulled, but the pull registry does not cover it",
                          repairs -> repairs.registerPost(post));
                }));
  }

  /**
   * Each feed entry agrees with its post, which the reader may see and should have. Reads one unit
   * a post, one an entry for its edge, and one more where there is no edge. The repair removes the
   * entry.
   */
  private Check validFeedEntries() {
    return check(
        "valid feed entries",
        DerivedRows.of(FeedEntry.class)
            .actual(FeedEntryRules::related)
            .further(FeedEntryRules::relatedWithoutEdge)
            .difference(
                (entry, _, there) ->
                    FeedEntryRules.problem(entry, there)
                        .flatMap(
                            problem ->
                                Drift.at(
                                    entry,
                                    entry.key() + " " + problem,
                                    repairs -> repairs.withdraw(entry)))));
  }

  /**
   * Each follow of an author with pushed posts was backfilled, and the edge says how far back.
   * Without that attribute a backfill was lost, and the edge requires no older entry. The repair
   * writes the attribute; the entries are then missing, and {@link FeedCompleteCheck} delivers them
   * in the next round. There is no drift if the newest twenty posts of that time are all pulled:
   * pulled posts are read from the author. A backfill that ended after a thousand private posts
   * looks lost once one of these is deleted. One write unit an edge.
   */
  private Check feedBackfills() {
    return check(
        "feed backfills",
        DerivedRows.of(Follow.class)
            .difference(
                (edge, _, _) ->
                    edge.feedSince() != null
                        ? Optional.empty()
                        : backfillStart(edge)
                            .flatMap(
                                since ->
                                    Drift.at(
                                        edge,
                                        edge.key() + " was not backfilled with earlier posts",
                                        repairs ->
                                            repairs
                                                .edges()
                                                .noteBackfilled(edge, since)
                                                .isPresent()))));
  }

  /** Returns how far back a backfill reaches; empty if no post was pushed before the follow. */
  private Optional<Instant> backfillStart(Follow edge) {
    var before =
        authors.of(edge.followeeId()).stream()
            .filter(post -> post.createdAt().isBefore(edge.createdAt()));
    var recent = RecentPosts.among(before, Follow.NEWEST, edge.createdAt());
    return recent.stream().anyMatch(post -> post.delivery() != FanOutMode.PULL)
        ? Optional.of(recent.getLast().createdAt())
        : Optional.empty();
  }

  /**
   * A timer begins or continues the sweep of the table while an erasure waits for it. The record of
   * its expiry may be lost with a batch that the event source gave up. The repair sets it again. It
   * is missing as well until the effects lane has applied that record; another timer does no harm.
   */
  private Check erasureTimer() {
    return check(
        "erasure timer",
        DerivedRows.of(PendingErasure.class)
            .actual(_ -> Stream.of(ErasureTimer.OF_SWEEP))
            .difference((pending, _, there) -> timer(pending, there)),
        DerivedRows.of(ErasureSweep.class, ErasureSweep::isUnderWay)
            .actual(_ -> Stream.of(ErasureTimer.OF_SWEEP))
            .difference((sweep, _, there) -> timer(sweep, there)));
  }

  private static Optional<Drift> timer(Row waiting, RelatedRows there) {
    return there.has(ErasureTimer.OF_SWEEP)
        ? Optional.empty()
        : Drift.at(
            waiting,
            waiting.key() + " waits for a sweep of the table, but its timer is lost",
            Repairs::armErasureSweep);
  }

  /** Accounts with the followers of a celebrity are flagged as celebrities, and no others. */
  private Check celebrityFlags(CelebrityRule rule) {
    return check(
        "celebrity flags",
        DerivedRows.of(User.class)
            .difference(
                (user, _, _) ->
                    user.isCelebrity() == rule.applies(user.isCelebrity(), user.followersCount())
                        ? Optional.empty()
                        : Drift.at(
                            user,
                            "%s is %s celebrity with %,d followers"
                                .formatted(
                                    user.key(),
                                    user.isCelebrity() ? "a" : "no",
                                    user.followersCount()),
                            repairs -> repairs.flipCelebrity(user))));
  }

  private Check check(String name, DerivedRows<?, ?>... rules) {
    return DerivedRows.check(name, scanner, rules);
  }
}
