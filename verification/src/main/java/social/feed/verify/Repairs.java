package social.feed.verify;

import static java.util.Objects.requireNonNull;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.counter.TransactionalCounters;
import social.feed.table.erasure.Eraser;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.notification.Inboxes;
import social.feed.table.notification.Notifications;
import social.feed.table.notification.PostNotifications;
import social.feed.table.post.Posts;
import social.feed.table.row.Erasure;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Inbox;
import social.feed.table.row.Notification;
import social.feed.table.row.Picture;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The writes of all repairs. Only a repair run builds it; a verification has no writer. Each method
 * that returns a boolean says whether it changed something.
 */
final class Repairs {
  private final Table table;
  private final Clock clock;
  private final TableScanner scanner;
  private final ConditionalWrites rows;
  private final FollowQuotas quotas;
  private final FollowWriter follows;
  private final FollowEdges edges;
  private final BlockWriter blocks;
  private final SpecialFollowWriter specialFollows;
  private final CounterRecounts recounts;
  private final TransactionalCounters counters;
  private final Eraser eraser;
  private final Erasures erasures;
  private final Posts posts;
  private final Notifications notifications;
  private final PostNotifications postNotifications;
  private final Users users;
  private final PullRegistry registry;
  private final HomeFeeds feeds;
  private final Inboxes inboxes;

  Repairs(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
    this.scanner = new TableScanner(table);
    this.rows = new ConditionalWrites(table);
    this.quotas = new FollowQuotas(table);
    this.follows = new FollowWriter(table, Long.MAX_VALUE);
    this.edges = new FollowEdges(table);
    this.blocks = new BlockWriter(table, new BlocksAndMutes(table, clock), Long.MAX_VALUE);
    this.specialFollows = new SpecialFollowWriter(table, Integer.MAX_VALUE);
    this.recounts = new CounterRecounts(table);
    this.counters = new TransactionalCounters(table, clock);
    this.eraser = new Eraser(table, clock, Concurrency.ofThreads(1));
    this.posts = new Posts(table);
    this.notifications = new Notifications(table, clock);
    this.postNotifications = new PostNotifications(table, notifications);
    this.users = new Users(table);
    this.erasures = new Erasures(table, users);
    this.registry = new PullRegistry(table);
    this.feeds = new HomeFeeds(table);
    this.inboxes = new Inboxes(table);
  }

  /** Returns the writes of single rows, each on condition that the row is unchanged. */
  ConditionalWrites rows() {
    return rows;
  }

  FollowWriter follows() {
    return follows;
  }

  FollowEdges edges() {
    return edges;
  }

  BlockWriter blocks() {
    return blocks;
  }

  SpecialFollowWriter specialFollows() {
    return specialFollows;
  }

  CounterRecounts recounts() {
    return recounts;
  }

  /** Removes an erased account from a row, as its erasure would have done. */
  boolean erase(String userId, Row row) {
    eraser.erase(userId, List.of(row), true);
    return true;
  }

  /**
   * Sets a counter that the stream drives, if the counter and its shard checkpoints are those that
   * were read before the count. The stream was drained after the count. Therefore an edge that the
   * count saw has moved the checkpoints or is in the counter, and a later edge is added on top.
   */
  boolean recount(Row read, String counter, long counted) {
    return recounts.set(read, counter, counted);
  }

  /**
   * Counts the posts that the stream has not counted, or else sets the number of posts. A deletion
   * changes the number at once. No shard checkpoint covers it, and the index of the posts may lag,
   * so they are counted a second time after the stream was drained.
   */
  boolean recountPosts(User read, long counted, ToLongFunction<User> count) {
    if (countsUncounted(read)) {
      return true;
    }
    var leftOut = recounts.leftOut(read.key());
    return count.applyAsLong(read) == counted && recounts.setPosts(read, counted, leftOut);
  }

  /**
   * Counts each recent post that has no processed event, and writes the event. So the stream does
   * not count the post when it delivers the record. One read unit a post of the last 15 days.
   */
  private boolean countsUncounted(User author) {
    var now = clock.instant();
    long expiresAt = now.plus(Retention.PROCESSED_EVENTS).getEpochSecond();
    var events =
        posts
            .allOfAuthor(author.userId())
            .takeWhile(post -> post.createdAt().isAfter(now.minus(Retention.LATEST_EFFECT)))
            .map(post -> ProcessedEvent.nameOfPost(post.postId(), ProcessedEvent.CREATED))
            .map(name -> new ProcessedEvent(name, expiresAt))
            .collect(Collectors.toMap(ProcessedEvent::key, event -> event));
    table.getAll(events.keySet(), true).forEach(counted -> events.remove(counted.key()));
    return events.values().stream()
        .map(event -> counters.addOnce(event, author.key(), User.POSTS_COUNT, 1))
        .reduce(false, Boolean::logicalOr);
  }

  /** Makes the stream look at all notifications of an account, and count those that it did not. */
  boolean countAgain(Inbox read) {
    return inboxes.countAgain(read);
  }

  /** Orders the next part of the work on the notifications of an account again. */
  boolean resume(Inbox read) {
    return inboxes.resume(read);
  }

  /**
   * Sets the number of unread notifications, as {@link #recount}, unless work on them is under way.
   */
  boolean recountUnread(Inbox read, long counted, ToLongFunction<Inbox> count) {
    return recounts.setUnread(read, counted, () -> count.applyAsLong(read));
  }

  /** Writes the claim of an account for its handle, unless it has another one by now. */
  boolean claim(User read, Condition ofClaim) {
    return table
        .transaction()
        .check(read.key(), equal(User.HANDLE, read.handle()))
        .put(new HandleClaim(read.handle(), read.userId()), ofClaim)
        .commit()
        .isDone();
  }

  /** Removes a picture from a profile, if it still is the one that was read. */
  boolean removePicture(User read, Picture picture) {
    return users.removePicture(read, picture);
  }

  /** Sets what the files of an account take, if its numbers still are those that were read. */
  boolean setMediaQuota(TableScanner.Stored read, long files, long bytes) {
    return table
        .update(
            read.key(),
            new Update().set(User.MEDIA_COUNT, files).set(User.MEDIA_BYTES, bytes),
            present()
                .and(same(User.MEDIA_COUNT, read.item().get(User.MEDIA_COUNT)))
                .and(same(User.MEDIA_BYTES, read.item().get(User.MEDIA_BYTES))))
        .isDone();
  }

  /** Copies the follow quota to the profile. A wrong quota is repaired first, by its own check. */
  boolean copyQuota(User read, long counted) {
    var quota = quotas.of(read.userId());
    var unchanged = new LinkedHashMap<>(RowCodec.encode(read));
    unchanged.keySet().retainAll(List.of(User.FOLLOWING_COUNT, User.FOLLOWING_VERSION));
    return quota.following() == counted
        && rows.set(
            read.key(),
            unchanged,
            Map.of(
                User.FOLLOWING_COUNT, number(counted),
                User.FOLLOWING_VERSION, number(quota.version())));
  }

  /**
   * Flips the celebrity flag like any other crossing of the threshold: the stream updates the pull
   * registry and publishes the change. One write unit.
   */
  boolean flipCelebrity(User read) {
    return rows.set(
        read.key(),
        Map.of(
            User.IS_CELEBRITY, AttributeValue.fromBool(read.isCelebrity()),
            User.CELEBRITY_VERSION, number(read.celebrityVersion()),
            User.FOLLOWERS_COUNT, number(read.followersCount())),
        Map.of(
            User.IS_CELEBRITY, AttributeValue.fromBool(!read.isCelebrity()),
            User.CELEBRITY_VERSION, number(read.celebrityVersion() + 1)));
  }

  /**
   * Writes a tag row of a post as the post is now. The tags of a post never change, but it may be
   * hidden, shown or deleted meanwhile. Therefore the post is read again after the write: a later
   * change finds the tag row.
   *
   * @throws ThrottledException when the post changes with each attempt
   */
  boolean writeTag(PostTag tag) {
    return table.retry().until("Tag row at " + tag.key(), () -> writeTagOnce(tag));
  }

  /** Returns whether there is a tag row; empty where the post changed meanwhile. */
  private Optional<Boolean> writeTagOnce(PostTag tag) {
    var right = posts.get(tag.postId()).map(post -> PostTag.of(post, tag.tag()));
    if (right.isEmpty()) {
      table.deleteAll(List.of(tag.key()));
      return Optional.of(false);
    }
    table.putAll(List.of(right.get()));
    var after = posts.get(tag.postId()).map(post -> PostTag.of(post, tag.tag()));
    return after.equals(right) ? Optional.of(true) : Optional.empty();
  }

  /** Removes the notification of a post that others must not see. */
  boolean retract(PostNotification notified) {
    return postNotifications.retract(List.of(notified));
  }

  /**
   * Writes a lost notification of a post, unless its recipient may not see the post by now. The
   * post is read after the write: a later change finds the record of the notification.
   */
  boolean notifyAgain(PostNotification record) {
    var notification = record.notification();
    return rows.insert(notification) && !retractHidden(notification);
  }

  /**
   * Removes the notification of a post or a mention, unless its recipient may see the post by now.
   * If the recipient may see it only after the removal, writes it again: the stream may have
   * notified before.
   */
  boolean retractHidden(Notification notification) {
    var current = table.get(notification.key());
    if (current.isEmpty() || isVisibleToRecipient(notification)) {
      return false;
    }
    notifications.retract(notification.key());
    if (isVisibleToRecipient(notification)) {
      notifications.add((Notification) RowCodec.decode(current.get()));
    }
    return true;
  }

  /** The list of notifications hides those of blocked and muted accounts. */
  private boolean isVisibleToRecipient(Notification notification) {
    return posts
        .get(requireNonNull(notification.postId()))
        .filter(
            post ->
                switch (post.visibility()) {
                  case PUBLIC -> true;
                  case FOLLOWERS ->
                      table.get(Follow.key(notification.userId(), post.authorId())).isPresent();
                  case PRIVATE -> false;
                })
        .isPresent();
  }

  /**
   * Makes the pull registry agree with the celebrity flag at the time of the write. A crossing
   * after that arrives through the stream.
   */
  boolean registerFlag(User read) {
    if (users.get(read.userId()).isEmpty()) {
      // The account was erased meanwhile, together with its registry entry.
      return false;
    }
    var now = Timestamps.now(clock);
    registry.change(
        read.userId(),
        now,
        author ->
            users
                .get(read.userId())
                .map(user -> author.corrected(user.isCelebrity(), user.celebrityVersion(), now))
                .orElse(author));
    return true;
  }

  /** Extends the pull registry so that it covers a pulled post. */
  boolean registerPost(Post post) {
    registry.change(post.authorId(), post.createdAt(), author -> author.covering(post.createdAt()));
    return true;
  }

  /**
   * Writes a feed entry. Like the multiplexer, it reads post and edge again after the write,
   * strongly consistent: it sees an earlier unfollow or deletion, and a later one finds the entry.
   */
  boolean deliver(FeedEntry entry) {
    feeds.deliver(List.of(entry));
    if (FeedEntryRules.isValid(entry, scanner)) {
      return true;
    }
    feeds.withdraw(List.of(entry));
    return false;
  }

  /** Removes a feed entry. If the reader may have the post by now, delivers the correct entry. */
  boolean withdraw(FeedEntry entry) {
    feeds.withdraw(List.of(entry));
    posts
        .get(entry.postId())
        .map(post -> FeedEntry.of(post.ref(), entry.readerId()))
        .filter(correct -> FeedEntryRules.isValid(correct, scanner))
        .ifPresent(this::deliver);
    return true;
  }

  /** Sets the timer of the sweep that all pending erasures share, if it is still missing. */
  boolean armErasureSweep() {
    return ErasureSweeps.armAgain(table, clock.instant());
  }

  /** Starts the clock of the erasures that wait for units, if it still stands still. */
  boolean wakeErasures() {
    return new ErasureQueue(table).wake(clock.instant());
  }

  /** Orders the next part of an erasure again, unless it has gone on. */
  boolean orderErasureAgain(Erasure read) {
    return erasures.orderAgain(read, Timestamps.now(clock));
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }
}
