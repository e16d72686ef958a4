package social.feed.verify;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import social.feed.table.counter.Fences.Place;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Inbox;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;

/** What verify compares of stored numbers: each is the count of some rows. */
final class CountChecks {
  private final TableScanner scanner;

  CountChecks(TableScanner scanner) {
    this.scanner = scanner;
  }

  /**
   * Each follow quota is the number of the user's edges. Adds one query a user. The index may lag,
   * so a repair counts again after the stream was drained. It replaces the version that was read by
   * a later one, which the stream copies to the profile.
   */
  Check followQuotas() {
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

  /** The copy of the follow quota in the profile is the number of the user's edges. */
  Check followingCount() {
    return counter(
        User.FOLLOWING_COUNT,
        User.class,
        User::followingCount,
        this::edges,
        (_, _, drift) -> drift,
        Repairs::copyQuota);
  }

  Check followersCount() {
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
  Check followersGained() {
    return check(
        "followers gained",
        counted(
            TopAuthor.GAINED,
            TopAuthor.class,
            TopAuthor::gained,
            this::gained,
            (month, _, drift) -> drift.behind(Set.of(Place.counts(Keys.followee(month.userId())))),
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
            .map(drift -> drift.behind(Set.of(Place.counts(Keys.followee(user.userId())))))
            .map(drift -> drift.unless(empty.key(), there -> isCountedBy(empty, counted, there)));
  }

  private static boolean isCountedBy(TopAuthor month, long counted, RelatedRows there) {
    return there
        .get(month.key(), TopAuthor.class)
        .filter(row -> Drift.isPassed(0, counted, row.gained()))
        .isPresent();
  }

  Check postsCount() {
    ToLongFunction<User> count =
        user -> scanner.count(Index.POSTS_BY_AUTHOR, Keys.user(user.userId()));
    return counter(
        User.POSTS_COUNT,
        User.class,
        User::postsCount,
        count,
        (user, _, drift) -> drift.behind(Set.of(Place.effects(Keys.user(user.userId())))),
        (repairs, user, counted) -> repairs.recountPosts(user, counted, count));
  }

  Check likesCount() {
    return counter(
        Post.LIKES_COUNT,
        Post.class,
        Post::likesCount,
        post -> scanner.count(Keys.post(post.postId()), Keys.LIKES),
        post -> Keys.post(post.postId()));
  }

  Check commentsCount() {
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
  Check unreadCount() {
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
            (inbox, counted, drift) -> fenced(drift, Keys.user(inbox.userId()), counted),
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

  /** Adds to a drift what its repair must wait for. */
  @FunctionalInterface
  private interface Proven<R extends Row> {
    Drift of(R read, long counted, Drift drift);
  }

  /** Returns a drift of a number with checkpoints, of which the rows of a partition are counted. */
  private static Drift fenced(Drift drift, String partition, long counted) {
    return drift.behind(Set.of(Place.counts(partition))).byFences(counted);
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
        (row, counted, drift) -> fenced(drift, partition.apply(row), counted),
        (repairs, row, counted) -> repairs.recount(row, attribute, counted));
  }

  private <R extends Row> Check counter(
      String attribute,
      Class<R> type,
      ToLongFunction<R> stored,
      ToLongFunction<R> count,
      Proven<R> proven,
      Recount<R> repair) {
    return check(attribute, counted(attribute, type, stored, count, proven, repair));
  }

  /**
   * Returns the rule of a stored number, which is the count of some rows. One query a row, and one
   * read unit for a number that differs.
   *
   * @param proven adds to a drift what its repair must wait for
   */
  private <R extends Row> DerivedRows<R, R> counted(
      String attribute,
      Class<R> type,
      ToLongFunction<R> stored,
      ToLongFunction<R> count,
      Proven<R> proven,
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
                      .map(drift -> proven.of(row, counted, drift))
                      .map(
                          drift ->
                              drift.unless(
                                  row.key(),
                                  there -> isPassed(row, stored, value, counted, there)));
            });
  }

  /** A row that is gone has no number. */
  private static <R extends Row> boolean isPassed(
      R read, ToLongFunction<R> stored, long value, long counted, RelatedRows there) {
    @SuppressWarnings("unchecked")
    var type = (Class<R>) read.getClass();
    return there
        .get(read.key(), type)
        .map(row -> Drift.isPassed(value, counted, stored.applyAsLong(row)))
        .orElse(!there.has(read.key()));
  }

  private Check check(String name, DerivedRows<?, ?>... rules) {
    return DerivedRows.check(name, scanner, rules);
  }
}
