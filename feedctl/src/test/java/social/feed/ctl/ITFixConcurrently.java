package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.counter.Fences.Place;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.table.user.Users;
import social.feed.testkit.TestTable;
import social.feed.verify.RepairLoop;
import social.feed.verify.RepairReport;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * Runs a repair concurrently with other writers, and with a stream that is behind. The test plays
 * both: whenever the repair drains the stream, one step of the script runs. The first round drains
 * before the walk, before the second check, and before the repair, which is based on a further one.
 * Where a number differs at the second check, it drains once more before that.
 */
class ITFixConcurrently {
  private static final Instant AT =
      Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS);
  private static final String SHARD = "shardId-00000001772366400000-abcdef";
  private static final Runnable NOTHING = () -> {};

  private final TestTable engine = TestTable.start();
  private final Queue<Runnable> script = new ArrayDeque<>();
  private final List<String> repairing = new ArrayList<>();
  private final FollowQuotas quotas = new FollowQuotas(engine.table());
  private final FollowWriter follows = new FollowWriter(engine.table(), 100);
  private final HomeFeeds feeds = new HomeFeeds(engine.table());
  private long sequence;

  @BeforeEach
  void register() {
    for (var id : List.of("ann", "bob", "cid")) {
      new Users(engine.table()).register(User.registered(id, id, id, null, AT));
    }
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  @Test
  void countThatIsOnlyBehind_isLeftToTheStream() {
    follow("bob", "ann");
    script.add(NOTHING);
    script.add(() -> streamCounts("bob", "ann"));

    var fixed = fix();

    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    assertThat(fixed.repaired()).isZero();
    assertThat(user("ann").followersCount()).isEqualTo(1);
  }

  @Test
  void countThatTheStreamChangesMeanwhile_isNotOverwritten() {
    follow("bob", "ann");
    streamCounts("bob", "ann");
    set(User.key("ann"), User.FOLLOWERS_COUNT, AttributeValue.fromN("7"));
    beforeTheRepairOfANumber(
        () -> {
          follow("cid", "ann");
          streamCounts("cid", "ann");
        });

    var fixed = fix();

    assertThat(repaired(fixed, "followers_count")).as("rejected once, then applied").isEqualTo(1);
    assertThat(user("ann").followersCount()).isEqualTo(2);
    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
  }

  @Test
  void countThatIncludesMoreThanTheStream_isNotWritten() {
    set(User.key("ann"), User.FOLLOWERS_COUNT, AttributeValue.fromN("7"));
    script.addAll(List.of(NOTHING, () -> follow("bob", "ann"), NOTHING));
    script.add(() -> streamCounts("bob", "ann"));

    var fixed = fix();

    assertThat(repaired(fixed, "followers_count")).isEqualTo(1);
    assertThat(user("ann").followersCount()).isEqualTo(1);
  }

  /** Comments move the checkpoints that likes have too. */
  @Test
  void likesOfAPostThatIsCommentedAllTheTime_areRecountedInOneRound() {
    var post = post();
    set(post.key(), Post.LIKES_COUNT, AttributeValue.fromN("7"));
    var waits = new ArrayList<Boolean>();

    var fixed =
        fix(
            (places, hasWaited) -> {
              if (places.contains(Place.counts(post.key().partition()))) {
                waits.add(hasWaited);
                if (waits.size() <= 6) {
                  comment(post, waits.size());
                }
              }
              return places;
            });

    assertThat(waits)
        .as("refused six times, and tried again without the wait that is proof in two shards")
        .containsExactly(true, false, false, false, false, false, false);
    assertThat(repairing).filteredOn(it -> it.startsWith("likes_count")).as("one round").hasSize(1);
    assertThat(repaired(fixed, "likes_count")).isEqualTo(1);
    var after = new Posts(engine.table()).get(post.postId()).orElseThrow();
    assertThat(after.likesCount()).isZero();
    assertThat(after.commentsCount()).isEqualTo(6);
    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
  }

  private void comment(Post post, int number) {
    var comment =
        new Comment(
            post.postId(), TimeOrderedId.named(AT, "comment" + number), "bob", "ann", "Hi", AT);
    engine.table().putAll(List.of(comment));
    var change = new CountChange("%021d".formatted(++sequence), Post.COMMENTS_COUNT, 1);
    new Counters(engine.table(), new CelebrityRule(1_000))
        .apply(SHARD, Map.of(post.key(), List.of(change)));
  }

  /** Its checkpoints are those of the followers. */
  @Test
  void postsOfAnAccountThatGainsFollowersAllTheTime_areRecounted() {
    set(User.key("ann"), User.POSTS_COUNT, AttributeValue.fromN("7"));
    for (int i = 0; i < 30; i++) {
      var follower = "follower" + i;
      new Users(engine.table()).register(User.registered(follower, follower, follower, null, AT));
      script.add(
          () -> {
            follow(follower, "ann");
            streamCounts(follower, "ann");
          });
    }

    var fixed = fix();

    assertThat(repaired(fixed, "posts_count")).isEqualTo(1);
    assertThat(user("ann").postsCount()).isZero();
    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
  }

  @Test
  void quotaThatAFollowChangesMeanwhile_isNotOverwritten() {
    follow("bob", "ann");
    streamCounts("bob", "ann");
    set(FollowQuota.key("bob"), "following", AttributeValue.fromN("7"));
    beforeTheRepair(() -> follow("bob", "cid"));

    var fixed = fix();

    assertThat(repaired(fixed, "follow quotas")).isEqualTo(1);
    assertThat(quotas.of("bob")).isEqualTo(new FollowQuota("bob", 2, 3));
  }

  /** The first count does not find the edge, like an edge that the index does not show yet. */
  @Test
  void quotaOfAnEdgeThatAppearsOnlyBeforeTheRepair_isNotLowered() {
    follow("bob", "ann");
    streamCounts("bob", "ann");
    follow("bob", "cid");
    streamCounts("bob", "cid");
    var late = Follow.of("bob", "cid", AT);
    engine.table().deleteAll(List.of(late.key()));
    beforeTheRepairOfANumber(() -> engine.table().putAll(List.of(late)));

    var fixed = fix();

    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    assertThat(repaired(fixed, "follow quotas")).isZero();
    assertThat(quotas.of("bob"))
        .extracting(FollowQuota::following, FollowQuota::version)
        .containsExactly(2L, 2L);
  }

  @Test
  void rowThatCanTakeNoMore_isLeft_andOthersAreRepaired() {
    fill(User.key("ann"));
    for (var id : List.of("ann", "bob", "cid")) {
      set(User.key(id), User.POSTS_COUNT, AttributeValue.fromN("7"));
    }
    engine.table().delete(HandleClaim.key("cid"));

    var fixed = fix();

    assertThat(repaired(fixed, "posts_count")).isEqualTo(2);
    assertThat(repaired(fixed, "handle claims")).isEqualTo(1);
    assertThat(fixed.after().drifts()).as(fixed.render()).isEqualTo(1);
    assertThat(user("ann").postsCount()).isEqualTo(7);
    assertThat(repairing)
        .filteredOn(text -> text.startsWith(User.key("ann") + " was refused: "))
        .hasSize(2);
  }

  /** Adds an attribute that leaves no room for another one. */
  private void fill(Key key) {
    int size = 400 * 1_024;
    while (!isTaken(key, size)) {
      size -= 8;
    }
  }

  private boolean isTaken(Key key, int size) {
    try {
      set(key, "of_another_program", AttributeValue.fromS("x".repeat(size)));
      return true;
    } catch (DynamoDbException e) {
      assertThat(e.awsErrorDetails().errorCode()).isEqualTo("ValidationException");
      return false;
    }
  }

  @Test
  void accountThatIsDeletedMeanwhile_isNotRecreated() {
    set(User.key("ann"), User.POSTS_COUNT, AttributeValue.fromN("7"));
    beforeTheRepair(
        () -> engine.table().deleteAll(List.of(User.key("ann"), HandleClaim.key("ann"))));

    var fixed = fix();

    assertThat(engine.table().get(User.key("ann"))).isEmpty();
    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
  }

  @Test
  void claimOfAnAccountThatIsRenamedMeanwhile_isNotWritten() {
    engine.table().delete(HandleClaim.key("ann"));
    beforeTheRepair(
        () -> {
          set(User.key("ann"), User.HANDLE, AttributeValue.fromS("anna"));
          engine.table().putAll(List.of(new HandleClaim("anna", "ann")));
        });

    var fixed = fix();

    assertThat(repaired(fixed, "handle claims")).isZero();
    assertThat(engine.table().get(HandleClaim.key("ann"))).isEmpty();
    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
  }

  @Test
  void notificationThatIsReadMeanwhile_staysOutOfTheUnreadIndex() {
    var id = TimeOrderedId.named(AT, "notified");
    var notification =
        new Notification(
            "ann", id, NotificationType.FOLLOW, "bob", null, AT, false, 4_000_000_000L);
    var notifications = new Notifications(engine.table(), engine.clock());
    notifications.add(notification);
    set(notification.key(), Index.UNREAD.sortKey(), AttributeValue.fromS("elsewhere"));

    // The repair of an index key waits for no stream, but asks for the lanes before it writes.
    var fixed =
        fix(
            (places, _) -> {
              notifications.markRead("ann", id);
              return places;
            });

    assertThat(fixed.repaired()).isZero();
    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    assertThat(notifications.unread("ann", PageRequest.first(10)).items()).isEmpty();
  }

  @Test
  void entryOfAReaderWhoUnfollowsMeanwhile_isNotDelivered() {
    follow("bob", "ann");
    streamCounts("bob", "ann");
    set(User.key("ann"), User.POSTS_COUNT, AttributeValue.fromN("1"));
    post();
    beforeTheRepair(() -> follows.unfollow("bob", "ann"));

    fix();

    assertThat(feeds.stored("bob", PageRequest.first(10)).items()).isEmpty();
    assertThat(feeds.stored("ann", PageRequest.first(10)).items()).hasSize(1);
  }

  @Test
  void entryOfAReaderWhoFollowsMeanwhile_staysInTheFeed() {
    var post = post();
    feeds.deliver(List.of(FeedEntry.of(post.ref(), "bob"), FeedEntry.of(post.ref(), "ann")));
    set(User.key("ann"), User.POSTS_COUNT, AttributeValue.fromN("1"));
    beforeTheRepair(() -> follow("bob", "ann"));

    var fixed = fix();

    assertThat(repaired(fixed, "valid feed entries")).isEqualTo(1);
    assertThat(feeds.stored("bob", PageRequest.first(10)).items()).hasSize(1);
  }

  @Test
  void flagThatChangesMeanwhile_isCopiedToTheRegistry() {
    flag(true, 1);
    beforeTheRepair(() -> flag(false, 2));

    var fixed = fix();

    assertThat(repaired(fixed, "pull registry")).isEqualTo(1);
    var entry = new PullRegistry(engine.table()).get("ann").orElseThrow();
    assertThat(entry.pullUntil()).isNotNull();
    assertThat(entry.flagVersion()).isEqualTo(2);
  }

  private void flag(boolean isCelebrity, long version) {
    set(User.key("ann"), User.IS_CELEBRITY, AttributeValue.fromBool(isCelebrity));
    set(User.key("ann"), User.CELEBRITY_VERSION, AttributeValue.fromN(Long.toString(version)));
  }

  private RepairReport fix() {
    // The script plays the lanes, which have passed whatever it wrote before the repair.
    return fix((places, _) -> places);
  }

  private RepairReport fix(RepairLoop.Lanes lanes) {
    return fix(Optional.empty(), lanes);
  }

  private RepairReport fix(Optional<CelebrityRule> rule, RepairLoop.Lanes lanes) {
    return new RepairLoop(engine.table(), Clock.systemUTC(), rule, TrendingTags.HALF_LIFE, lanes)
        .run(
            () -> {
              var next = script.poll();
              if (next != null) {
                next.run();
              }
            },
            _ -> {},
            repairing::add);
  }

  private void beforeTheRepair(Runnable concurrent) {
    script.addAll(List.of(NOTHING, NOTHING, concurrent));
  }

  private void beforeTheRepairOfANumber(Runnable concurrent) {
    script.addAll(List.of(NOTHING, NOTHING, NOTHING, concurrent));
  }

  private static long repaired(RepairReport report, String check) {
    return report.lines().stream()
        .filter(line -> line.check().equals(check))
        .mapToLong(RepairReport.Line::repaired)
        .sum();
  }

  private void follow(String follower, String followee) {
    follows.follow(Follow.of(follower, followee, AT));
  }

  /** Does what the multiplexer does after a follow. */
  private void streamCounts(String follower, String followee) {
    streamCountsBy(new CelebrityRule(1_000), follower, followee);
  }

  private void streamCountsBy(CelebrityRule rule, String follower, String followee) {
    var last = "%021d".formatted(++sequence);
    new Counters(engine.table(), rule)
        .apply(
            SHARD,
            Map.of(
                User.key(followee), List.of(new CountChange(last, User.FOLLOWERS_COUNT, 1)),
                TopAuthor.key(AT, followee), List.of(new CountChange(last, TopAuthor.GAINED, 1))));
    var quota = quotas.of(follower);
    new Users(engine.table()).copyFollowing(follower, quota.following(), quota.version());
  }

  private Post post() {
    var post = Written.post("ann", AT.plusSeconds(1), "Hello");
    new Posts(engine.table()).create(post);
    return post;
  }

  private User user(String id) {
    return new Users(engine.table()).get(id).orElseThrow();
  }

  private void set(Key key, String attribute, AttributeValue value) {
    engine
        .client()
        .updateItem(
            u ->
                u.tableName(engine.table().name())
                    .key(KeyAttributes.of(key))
                    .updateExpression("SET #a = :v")
                    .expressionAttributeNames(Map.of("#a", attribute))
                    .expressionAttributeValues(Map.of(":v", value)));
  }

  @Test
  void quotaOfASlowedAccount_isCorrected_andItStaysSlowed() {
    follow("bob", "ann");
    streamCounts("bob", "ann");
    var until = AT.plus(Duration.ofDays(9));
    follows.slowDown("bob", until);
    set(FollowQuota.key("bob"), "following", AttributeValue.fromN("7"));

    var fixed = fix();

    assertThat(repaired(fixed, "follow quotas")).isEqualTo(1);
    assertThat(quotas.of("bob").following()).isEqualTo(1);
    assertThat(quotas.of("bob").slowedUntil()).isEqualTo(until);
  }

  /** The count that decides the flag is another one by the time of the repair. */
  @Test
  void flagOfAnAccountThatGainsFollowersMeanwhile_isLeft() {
    follow("bob", "ann");
    streamCountsBy(new CelebrityRule(2), "bob", "ann");
    flag(true, 1);
    new PullRegistry(engine.table()).flip("ann", true, 1, AT);
    var isMeanwhile = new AtomicBoolean();
    // The repair asks for the lanes before it writes.
    Runnable meanwhile =
        () -> {
          if (isMeanwhile.compareAndSet(false, true)) {
            follow("cid", "ann");
            streamCountsBy(new CelebrityRule(2), "cid", "ann");
          }
        };
    var fixed =
        fix(
            Optional.of(new CelebrityRule(2)),
            (places, _) -> {
              meanwhile.run();
              return places;
            });

    assertThat(repaired(fixed, "celebrity flags")).isZero();
    assertThat(user("ann").isCelebrity()).isTrue();
    assertThat(user("ann").celebrityVersion()).isEqualTo(1);
  }
}
