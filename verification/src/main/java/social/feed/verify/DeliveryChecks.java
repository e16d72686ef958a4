package social.feed.verify;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.notification.Notifications;
import social.feed.table.post.RecentPosts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * What verify compares of what posts bring their readers: feed entries, backfills, notifications
 * and the pull registry.
 */
final class DeliveryChecks {
  /** Parts of a removal follow each other within seconds, unless the lane lags. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final TableScanner scanner;
  private final AuthorPosts authors;
  private final Clock clock;

  DeliveryChecks(TableScanner scanner, AuthorPosts authors, Clock clock) {
    this.scanner = scanner;
    this.authors = authors;
    this.clock = clock;
  }

  /**
   * Each reader who was notified of a post is recorded at the post, and has the notification,
   * unless others must not see the post. Reads four units a record, and one a notification. The
   * record is the source: a notification without a record gets one, unless both have expired, since
   * TTL deletes them in any order. A record is written before its notification and stays after a
   * retraction, so one without a notification is drift only where {@link #isDue} says so. No
   * account has a notification of a mention in a post that others must not see; one unit each.
   */
  Check postNotifications() {
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
        DerivedRows.of(Notification.class, this::isRecorded)
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
        DerivedRows.of(Notification.class, DeliveryChecks::isOfMention)
            .actual(mention -> Stream.of(mentioningPost(mention)))
            .difference(
                (_, mention, there) ->
                    isVisible(mentioningPost(mention), there)
                        ? Optional.empty()
                        : Drift.at(
                            mention,
                            "%s notifies of %s, which others must not see"
                                .formatted(mention.key(), mentioningPost(mention)),
                            repairs -> repairs.retractHidden(mention))));
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

  private boolean isRecorded(Notification notification) {
    return recordOf(notification) != null
        && !Notifications.isLate(notification.expiresAt(), clock.instant());
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
    return isDelivered || !isDue(record, there)
        ? Optional.empty()
        : Drift.at(
            record,
            record.key() + " has not reached its reader",
            repairs -> repairs.notifyAgain(record));
  }

  /**
   * Returns whether a reader must have a notification that was recorded: it has not expired, and
   * nothing can have retracted it or held it back. A post that was private once was retracted, and
   * when it is shown again, it notifies those who follow specially and do not mute the author at
   * that time. A post that is narrowed to followers is retracted from a reader who has unfollowed,
   * and a later follow does not notify of it.
   */
  private boolean isDue(PostNotification record, RelatedRows there) {
    boolean wasNeverPrivate =
        there
            .get(Post.key(record.postId()), Post.class)
            .filter(post -> post.visibilityVersion() == null)
            .isPresent();
    boolean isFollowedSinceBefore =
        there
            .get(SpecialFollower.key(record.readerId(), record.authorId()), SpecialFollower.class)
            .filter(special -> !special.createdAt().isAfter(record.createdAt()))
            .isPresent();
    return !Notifications.isLate(record.expiresAt(), clock.instant())
        && wasNeverPrivate
        && isFollowedSinceBefore
        && !there.has(Mute.key(record.readerId(), record.authorId()));
  }

  /**
   * The pull registry pulls the posts of each celebrity and of no other account, and covers every
   * pulled post that feeds store. Reads one unit an account and a pulled post. The flags and the
   * posts are the source.
   */
  Check pullRegistry() {
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
  Check validFeedEntries() {
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
  Check feedBackfills() {
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
    var before = authors.before(edge.followeeId(), edge.createdAt());
    var recent = RecentPosts.among(before, Follow.NEWEST, edge.createdAt());
    return recent.stream().anyMatch(post -> post.delivery() != FanOutMode.PULL)
        ? Optional.of(recent.getLast().createdAt())
        : Optional.empty();
  }

  /**
   * No removal of a post's rows has waited long for its next part. The record of its order may be
   * lost with a batch that the event source gave up, or with a dead letter that was dropped. The
   * repair orders the part again, at one write unit. An order that only waits for a slow lane is
   * replaced, which does no harm.
   */
  Check cleanUps() {
    return check(
        "clean-ups of posts",
        DerivedRows.of(PostCleanUp.class, this::isLate)
            .difference(
                (order, _, _) ->
                    Drift.at(
                        order,
                        order.key() + " has waited since " + order.orderedAt(),
                        repairs ->
                            repairs.rows().replace(order, order.again(Timestamps.now(clock))))));
  }

  private boolean isLate(PostCleanUp order) {
    return order.orderedAt().plus(LONGEST_WAIT).isBefore(clock.instant());
  }

  private Check check(String name, DerivedRows<?, ?>... rules) {
    return DerivedRows.check(name, scanner, rules);
  }
}
