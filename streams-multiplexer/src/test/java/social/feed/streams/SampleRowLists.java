package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.streams.change.Change;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.Mention;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostMedia;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PullRevision;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.row.WaitingErasure;
import social.feed.testkit.SamplePosts;

/** One row of each kind with effects, and of each variant with other effects; some without. */
final class SampleRowLists {
  static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  private static final String POST = TimeOrderedId.named(AT, "post");
  private static final String COMMENT = TimeOrderedId.named(AT, "comment");
  private static final long LATER = AT.getEpochSecond() + 1;

  private SampleRowLists() {}

  /** Rows by their names on the page of effects. */
  static Map<String, Row> all() {
    var rows = new LinkedHashMap<String, Row>();
    rows.put("user", User.registered("ann", "Ann", "Ann", null, AT));
    rows.put("handle claim", new HandleClaim("Ann", "ann"));
    rows.put("post", post(Visibility.PUBLIC));
    rows.put("post for followers", post(Visibility.FOLLOWERS));
    rows.put("private post", post(Visibility.PRIVATE));
    rows.put("tag of a post", PostTag.of(post(Visibility.PUBLIC), "sea"));
    rows.put("comment", comment("bob"));
    rows.put("comment on the author's own post", comment("ann"));
    rows.put("like", like("bob"));
    rows.put("like of the author's own post", like("ann"));
    rows.put("follow", Follow.of("bob", "ann", AT));
    rows.put("imported follow", Follow.imported("bob", "ann", AT));
    rows.put("special follow", new Follow("bob", "ann", AT, null, null, false, AT));
    rows.put("special follower", new SpecialFollower("bob", "ann", AT));
    rows.put("retained posts", new RetainedPosts("bob", "ann", AT, AT));
    rows.put("block", new Block("bob", "ann", AT));
    rows.put("block, seen by the blocked account", new BlockedBy("ann", "bob", AT));
    rows.put("mute", Mute.of("bob", "ann", AT, null));
    rows.put("activity", FeedActivity.at("bob", AT));
    rows.put("first activity of a returning reader", FeedActivity.at("bob", AT).awoken(AT));
    rows.put("follow quota", new FollowQuota("bob", 7, 9));
    rows.put("feed entry", FeedEntry.of(post(Visibility.PUBLIC).ref(), "bob"));
    rows.put("pulled author", new PulledAuthor("ann", AT, null, 1, 1, 1));
    rows.put("revision of the pull registry", new PullRevision(1));
    rows.put("top author", TopAuthor.empty("2026-03", "ann").plus(Map.of("gained", 1L), Map.of()));
    rows.put(
        "trend of a tag", TagTrend.empty(6, "sea").plus(Map.of("2026-03-01T12", 1L), Map.of()));
    rows.put("uses of a tag", uses(1));
    var plan = FanOutPlan.begun(POST, "x", AT, LATER);
    rows.put("fan-out plan", plan);
    rows.put("fan-out chunk", FanOutChunk.of(plan, post(Visibility.PUBLIC), 0, "a", "b", 500));
    rows.put("notification", notification(true));
    rows.put("notification from before the inbox", notification(null));
    rows.put("inbox", Inbox.empty("ann"));
    rows.put("notification of a post", new PostNotification(POST, "bob", "ann", AT, LATER));
    rows.put(
        "chunk of notifications of a post", new PostNotificationChunk(POST, 0, "a", "b", LATER));
    rows.put("processed event", new ProcessedEvent("POST#1#created", LATER));
    rows.put(
        "idempotency record", new IdempotencyRecord("bob", "key", "print", POST, 201, "{}", LATER));
    rows.put("erasure", Erasure.of("ann", AT));
    rows.put("resting erasure", resting());
    rows.put("erasure timer", new ErasureTimer(Erasure.hash("ann"), 1, LATER));
    rows.put("timer of the sweep for erasures", ErasureTimer.ofSweep(1, AT));
    rows.put("sweep for erasures", ErasureSweep.NONE.begun("PENDING#1", AT));
    rows.put(
        "sweep for erasures that has ended", ErasureSweep.NONE.begun("PENDING#1", AT).ended(AT));
    rows.put("pending erasure", new PendingErasure(1, Erasure.hash("ann"), "ann", AT));
    rows.put("pace of erasures", ErasurePace.NONE.started(AT));
    rows.put("waiting erasure", WaitingErasure.of(Erasure.of("ann", AT), 200));
    rows.put("fence of counts", new Fence("POST#1", "x", false, false, 0, Map.of(), LATER));
    rows.put("fence of effects", new Fence("USER#ann", "x", true, true, 0, Map.of(), LATER));
    rows.put("media", media(null));
    rows.put("pending media", media(LATER));
    rows.put("timer of a removal of media", MediaRemoval.of(POST, "ann", 1).timer(AT));
    rows.put("suspicious account", suspect(1, 200));
    rows.put("opening of a new account", new FollowOpening("f00d", "bob", 30, AT, 9));
    rows.put(
        "rest of a clean-up",
        PostCleanUp.of(
            POST, 1, PostCleanUp.Cause.DELETED, new Key("POST#" + POST, "LIKE#bob"), AT));
    return rows;
  }

  private static Media media(@Nullable Long expiresAt) {
    return new Media(POST, "ann", "image/png", 9, "f00d", null, AT, 3, 2, expiresAt);
  }

  private static Erasure resting() {
    return walking().done();
  }

  private static Erasure walking() {
    var erasure = Erasure.of("ann", AT);
    while (erasure.step() != ErasureStep.WALK) {
      erasure = erasure.done();
    }
    return erasure;
  }

  /** Changes with effects that the change of a row into itself does not have. */
  static Map<String, Change.Modified> changed() {
    var user = User.registered("ann", "Ann", "Ann", null, AT);
    var edge = Follow.of("bob", "ann", AT);
    var away = FeedActivity.at("bob", AT);
    var awoken = away.awoken(AT);
    var changes = new LinkedHashMap<String, Change.Modified>();
    changes.put("user that becomes a celebrity", new Change.Modified(user, celebrity(user)));
    changes.put(
        "erasure that advances",
        new Change.Modified(Erasure.of("ann", AT), Erasure.of("ann", AT).done()));
    changes.put("erasure that starts to rest", new Change.Modified(walking(), resting()));
    changes.put("user that is no longer a celebrity", new Change.Modified(celebrity(user), user));
    changes.put(
        "user with another name",
        new Change.Modified(user, User.registered("ann", "Ann", "Anna", null, AT)));
    changes.put("user with an avatar", new Change.Modified(user, withAvatar(user)));
    changes.put(
        "post that becomes public",
        new Change.Modified(post(Visibility.FOLLOWERS), post(Visibility.PUBLIC)));
    changes.put(
        "post that becomes visible to followers only",
        new Change.Modified(post(Visibility.PUBLIC), post(Visibility.FOLLOWERS)));
    changes.put(
        "post that becomes private",
        new Change.Modified(post(Visibility.PUBLIC), post(Visibility.PRIVATE)));
    changes.put("uses of a tag that grow", new Change.Modified(uses(1), uses(3)));
    changes.put("activity of a returning reader", new Change.Modified(away, awoken));
    changes.put(
        "activity when the feed is brought up to date",
        new Change.Modified(awoken, new FeedActivity("bob", AT, AT, null)));
    var notification = notification(true);
    changes.put(
        "notification that an earlier version marks as read",
        new Change.Modified(notification, read(notification, true)));
    changes.put(
        "inbox whose notifications are marked as read",
        new Change.Modified(Inbox.empty("ann"), Inbox.empty("ann").readUpTo(AT)));
    changes.put(
        "follow quota that passes a threshold",
        new Change.Modified(quota(399, 399), quota(400, 400)));
    changes.put(
        "follow quota after the first thirty follows",
        new Change.Modified(quota(29, 29), quota(30, 30)));
    changes.put(
        "suspicious account with a higher score",
        new Change.Modified(
            suspect(1, 200),
            suspect(1, 200)
                .with(
                    new Evidence(
                        "bob",
                        2,
                        AT,
                        List.of(SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200))))));
    changes.put(
        "follow whose backfill is retried",
        new Change.Modified(edge, new Follow("bob", "ann", AT, AT, AT, false, null)));
    return changes;
  }

  private static FollowQuota quota(long following, long follows) {
    return new FollowQuota("bob", following, following, AT, follows, 0, null, null, null);
  }

  private static Suspect suspect(long version, long follows) {
    var burst = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, follows, 200);
    return Suspect.of(new Evidence("bob", version, AT, List.of(burst)));
  }

  private static Notification read(Notification unread, @Nullable Boolean counted) {
    return new Notification(
        unread.userId(),
        unread.notificationId(),
        unread.type(),
        unread.actorId(),
        unread.postId(),
        unread.createdAt(),
        true,
        unread.expiresAt(),
        counted);
  }

  private static TagUses uses(long uses) {
    return TagUses.empty(6, "sea", "2026-03-01T12", "shardId-1")
        .plus(Map.of(TagUses.USES, uses), Map.of());
  }

  private static User withAvatar(User user) {
    return changed(user, user.isCelebrity(), new PostMedia(POST, "image/png", 9, 3, 2, null));
  }

  private static User celebrity(User user) {
    return changed(user, true, null);
  }

  private static User changed(User user, boolean celebrity, @Nullable PostMedia avatar) {
    return new User(
        user.userId(),
        user.handle(),
        user.displayName(),
        user.bio(),
        user.createdAt(),
        user.followersCount(),
        user.followingCount(),
        user.followingVersion(),
        user.postsCount(),
        celebrity,
        celebrity == user.isCelebrity() ? user.celebrityVersion() : user.celebrityVersion() + 1,
        user.marks(),
        avatar,
        null);
  }

  /** Records of all events of all rows, and of all changes, there and back. */
  static List<DynamodbStreamRecord> records() {
    var records = new ArrayList<DynamodbStreamRecord>();
    for (var row : all().values()) {
      records.add(StreamRecords.inserted(1, row));
      records.add(StreamRecords.modified(1, row, row));
      records.add(StreamRecords.removed(1, row));
      records.add(StreamRecords.expired(1, row));
    }
    for (var change : changed().values()) {
      records.add(StreamRecords.modified(1, change.before(), change.after()));
      records.add(StreamRecords.modified(1, change.after(), change.before()));
    }
    return records;
  }

  static Post post(Visibility visibility) {
    return SamplePosts.by("ann", AT)
        .id(POST)
        .text("@bob and I, @ann, at the #sea")
        .tags("sea")
        .mentions(new Mention("bob", "bob"), new Mention("ann", "ann"))
        .visibility(visibility)
        .build();
  }

  static Like like(String by) {
    return new Like(POST, by, "ann", AT);
  }

  static Comment comment(String by) {
    return new Comment(POST, COMMENT, by, "ann", "Fine!", AT);
  }

  static Notification notificationOf(NotificationType type) {
    var id = TimeOrderedId.named(AT, "notification");
    return new Notification("ann", id, type, "bob", POST, AT, false, LATER, true);
  }

  private static Notification notification(@Nullable Boolean counted) {
    var id = TimeOrderedId.named(AT, "notification");
    return new Notification(
        "ann", id, NotificationType.LIKE, "bob", POST, AT, false, LATER, counted);
  }
}
