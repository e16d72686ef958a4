package social.feed.table.kernel.schema;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.FormerSecret;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Inbox;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.Mention;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Picture;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostMedia;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PullRevision;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RecentDelivery;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.row.WaitingErasure;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.row.WebhookRegistry;

/** One row of each kind with every component set, and variants without optional components. */
final class SampleRows {
  static final Instant TIME = Instant.parse("2026-11-20T09:15:00.500Z");
  static final String POST_ID = "01KAJPTR000000000000000001";
  static final String COMMENT_ID = "01KAJPTR000000000000000002";
  static final String NOTIFICATION_ID = "01KAJPTR000000000000000003";
  static final String MEDIA_ID = "01KAJPTR000000000000000004";
  private static final String AVATAR_ID = "01KAJPTR000000000000000005";
  private static final String BANNER_ID = "01KAJPTR000000000000000006";
  static final long EXPIRES_AT = 1_800_000_000L;
  private static final Map<String, String> MARKS =
      Map.of("shardId-000000000001", "100000000000000000042");

  private SampleRows() {}

  static List<Row> complete() {
    return List.of(
        new User(
            "alice",
            "Ann_Lee",
            "Ann Lee",
            "Hello",
            TIME,
            12,
            3,
            7,
            45,
            true,
            0,
            MARKS,
            picture(AVATAR_ID),
            picture(BANNER_ID)),
        new HandleClaim("Ann_Lee", "alice"),
        changedPost(),
        PostTag.of(post(Visibility.PUBLIC), "java"),
        new Comment(POST_ID, COMMENT_ID, "bob", "alice", "Nice", TIME),
        new Like(POST_ID, "bob", "alice", TIME, 3),
        new Follow(
            "bob",
            "alice",
            TIME,
            TIME.minusSeconds(3_600),
            TIME.plusSeconds(60),
            true,
            TIME.plusSeconds(90)),
        new RetainedPosts("bob", "alice", TIME, TIME),
        new FollowQuota(
            "bob", 3, 7, TIME, 2, 1, List.of("alice"), 7L, 5L, 2L, TIME.plusSeconds(86_400)),
        new FeedEntry(POST_ID, FeedEntry.shard(POST_ID, "bob", 4), "bob", "alice", TIME),
        new RecentDelivery(
            "alice", POST_ID, TIME, Visibility.PUBLIC, 4, TIME.plusSeconds(1), EXPIRES_AT),
        new PulledAuthor("alice", TIME, TIME.plusSeconds(60), 2, 1, 3),
        new PullRevision(7),
        new FanOutPlan(POST_ID, "f00d0001", 2, 3, 1, TIME, TIME, TIME, EXPIRES_AT),
        new FanOutChunk(
            POST_ID,
            4,
            1,
            "bob",
            "eve",
            500,
            "f00d0001",
            true,
            ChunkOutcome.DELIVERED,
            499,
            1,
            TIME,
            EXPIRES_AT),
        notification(false),
        new Inbox(
            "alice", 3, MARKS, true, "NOTIF#x", TIME, EXPIRES_AT, 2, 1, "f00d", List.of("x"), 7L),
        new ProcessedEvent("posts_count-100000000000000000042", EXPIRES_AT),
        new IdempotencyRecord("alice", "key-1", "f00d", POST_ID, 201, "{\"id\":1}", EXPIRES_AT),
        new Block("alice", "bob", TIME),
        new BlockedBy("bob", "alice", TIME),
        Mute.of("alice", "bob", TIME, TIME.plusSeconds(60)),
        new FeedActivity("bob", TIME, TIME.minusSeconds(60), TIME.minusSeconds(7_200)),
        new TopAuthor("2026-11", "alice", 12, 3, MARKS, Map.of(TopAuthor.GAINED, 1L)),
        new TagTrend(
            6,
            "java",
            null,
            Map.of("2026-11-20T09", 3L, "2026-11-20T03", 2L),
            5,
            MARKS,
            Map.of("2026-11-20T09", 1L),
            EXPIRES_AT),
        new TagUses(6, "java", "2026-11-20T09", "shardId-000000000001", 3, 2, MARKS, EXPIRES_AT),
        new SpecialFollower("bob", "alice", TIME.plusSeconds(60)),
        new PostNotification(POST_ID, "bob", "alice", TIME, EXPIRES_AT),
        new PostNotificationChunk(POST_ID, 1, "bob", "eve", EXPIRES_AT),
        new Erasure(
            Erasure.hash("alice"),
            "alice",
            TIME,
            ErasureStep.WALK,
            "USER#alice",
            "BLOCK#bob",
            1,
            true,
            7,
            TIME.plusSeconds(90),
            EXPIRES_AT,
            12L,
            5_200L,
            4_990L,
            TIME.plusSeconds(30)),
        new ErasureTimer(Erasure.hash("alice"), 1, EXPIRES_AT),
        new ErasureSweep(
            2,
            ErasureSweep.Step.SCANNING,
            TIME,
            new PendingErasure(1, Erasure.hash("alice"), "alice", TIME).key().sort(),
            "POST#" + POST_ID,
            "META",
            TIME.plusSeconds(1),
            7),
        new PendingErasure(1, Erasure.hash("alice"), "alice", TIME),
        new ErasurePace(TIME.plusSeconds(1), true, 7),
        new WaitingErasure(5_200, Erasure.hash("alice"), 5_000, 6),
        new Fence("FOLLOWEE#alice", "f00d", true, true, 1, MARKS, EXPIRES_AT),
        media(EXPIRES_AT, POST_ID),
        webhook(List.of("post.created"), "Search", "whsec_former"),
        new WebhookDeliveries(
            MEDIA_ID,
            List.of(
                new WebhookDelivery("evt_f00d", "post.created", TIME, true, 204, null, 12),
                new WebhookDelivery("evt_cafe", "webhook.test", TIME, false, null, "Slow", 10_000)),
            3),
        new WebhookRegistry(Map.of(MEDIA_ID, "2026-11-20T09:15:00.500Z"), 1, 7),
        suspect(TIME.plusSeconds(60)),
        new FollowOpening("f00d", "bob", 30, TIME, EXPIRES_AT),
        new PostCleanUp(
            POST_ID,
            PostCleanUp.Cause.DELETED,
            7,
            "POST#" + POST_ID,
            "COMMENT#" + POST_ID,
            TIME,
            3),
        new MediaRemoval(MEDIA_ID, "alice", 2, EXPIRES_AT));
  }

  private static Webhook webhook(
      List<String> eventTypes, @Nullable String description, @Nullable String formerSecret) {
    return new Webhook(
        MEDIA_ID,
        "https://example.test/hook",
        eventTypes,
        description,
        true,
        "whsec_present",
        formerSecret,
        formerSecret == null ? null : TIME.plusSeconds(60),
        formerSecret == null
            ? null
            : List.of(new FormerSecret("whsec_older", TIME.plusSeconds(30))),
        TIME,
        2);
  }

  private static Suspect suspect(@Nullable Instant dismissedAt) {
    return new Suspect(
        "bob",
        50,
        List.of(
            new SuspicionFinding(SuspicionReason.BLOCKED_BY_FOLLOWED, 12, 10, 35),
            new SuspicionFinding(SuspicionReason.NEW_ACCOUNT, 7, 7, 15)),
        TIME,
        TIME,
        7,
        3,
        dismissedAt,
        dismissedAt == null ? 0 : 7,
        EXPIRES_AT);
  }

  private static PostMedia picture(String mediaId) {
    return new PostMedia(mediaId, "image/png", 2_048, 640, 480, "A cat");
  }

  private static Media media(@Nullable Long expiresAt, @Nullable String postId) {
    return new Media(
        MEDIA_ID,
        "alice",
        "image/png",
        2_048,
        "f00d",
        "A cat",
        TIME,
        640,
        480,
        expiresAt,
        postId,
        postId == null ? null : Picture.AVATAR);
  }

  static List<Row> variants() {
    return List.of(
        new PostCleanUp(
            POST_ID, PostCleanUp.Cause.HIDDEN, 2, "FANOUT#" + POST_ID + "#1", "FEED#bob", TIME, 4),
        media(null, null),
        MediaRemoval.of(MEDIA_ID, "alice", 2),
        webhook(List.of(), null, null),
        suspect(null),
        Mute.of("alice", "bob", TIME, null),
        FeedActivity.at("carol", TIME),
        Erasure.of("alice", TIME),
        new TopAuthor("2026-11", "alice", 0, 4, MARKS, Map.of()),
        new TagTrend(6, "java", 1, Map.of("2026-11-20T09", -1L), 1, MARKS, Map.of(), EXPIRES_AT),
        User.registered("carol", "carol", "Carol", null, TIME),
        post(Visibility.PUBLIC),
        post(Visibility.FOLLOWERS),
        PostTag.of(post(Visibility.FOLLOWERS), "java"),
        PostTag.of(post(Visibility.PRIVATE), "java"),
        new Post(
            POST_ID,
            "alice",
            "\u0000 \uD83D\uDE00 \"",
            List.of(),
            List.of(),
            Visibility.PRIVATE,
            null,
            TIME,
            1,
            FanOutMode.PUSH,
            0,
            0,
            Map.of()),
        new Fence("POST#" + POST_ID, "f00d", false, false, 0, Map.of(), EXPIRES_AT),
        new Comment(POST_ID, COMMENT_ID, "bob", "alice", "Nice", TIME),
        new Like(POST_ID, "bob", "alice", TIME),
        Follow.of("bob", "alice", TIME),
        new FollowQuota("bob", 3, 7),
        new PulledAuthor("alice", TIME, TIME.plusSeconds(60), 2, 1, 3),
        notification(true),
        Inbox.empty("alice"),
        new Notification(
            "alice",
            NOTIFICATION_ID,
            NotificationType.FOLLOW,
            "bob",
            null,
            TIME,
            false,
            EXPIRES_AT));
  }

  static Post post(Visibility visibility) {
    return new Post(
        POST_ID,
        "alice",
        "Hi @Bob_B #java",
        List.of("java"),
        List.of(new Mention("Bob_B", "bob")),
        visibility,
        "media/1",
        TIME,
        4,
        FanOutMode.PUSH,
        2,
        1,
        MARKS);
  }

  /** A post with many likes that was hidden and shown. */
  private static Post changedPost() {
    var post = post(Visibility.PUBLIC);
    return new Post(
        post.postId(),
        post.authorId(),
        post.text(),
        post.tags(),
        post.mentions(),
        post.visibility(),
        post.mediaRef(),
        post.createdAt(),
        post.feedShards(),
        post.delivery(),
        post.likesCount(),
        post.commentsCount(),
        post.marks(),
        16,
        2L,
        1L,
        List.of(
            new PostMedia(MEDIA_ID, "image/png", 2_048, 640, 480, "A cat"),
            new PostMedia(COMMENT_ID, "image/gif", 9, 1, 1, null)));
  }

  static Notification notification(boolean read) {
    return new Notification(
        "alice", NOTIFICATION_ID, NotificationType.LIKE, "bob", POST_ID, TIME, read, EXPIRES_AT);
  }
}
