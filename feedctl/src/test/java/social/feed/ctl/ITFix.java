package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.FollowWriter;
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.Posts;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Post;
import social.feed.table.user.Users;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Plants each kind of fault. Verify finds it, and repairs it or reports it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITFix {
  private static final String GRAPH = "1 2\n1 3\n2 3\n3 1\n";

  private final VerifyWorld world = new VerifyWorld();
  private Set<Map<String, AttributeValue>> clean = Set.of();

  @BeforeAll
  void load(@TempDir Path folder) {
    world.load(folder, GRAPH, 2, 100);
    var post = world.postOf("3");
    var at = Fault.now();
    new Likes(world.table()).add(new Like(post.postId(), "1", "3", at));
    new Comments(world.table())
        .add(new Comment(post.postId(), post.postId(), "2", "3", "I agree", at));
    clean = world.items();
  }

  @BeforeEach
  void verifyCleanTable() {
    var before = world.verify();
    assertThat(before.isClean()).as(before.render()).isTrue();
  }

  @AfterEach
  void restore() {
    world.restore(clean);
  }

  @AfterAll
  void stop() {
    world.close();
  }

  @ParameterizedTest
  @MethodSource("social.feed.ctl.Fault#repairable")
  void fault_isFoundAndRepaired_andASecondRunChangesNothing(Fault fault) {
    fault.plant().accept(world);
    assertThat(world.verify().render()).contains(fault.reported());

    var fixed = world.fix();

    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    assertThat(fixed.repaired()).isPositive();
    assertThat(world.verify().isClean()).isTrue();
    var repaired = world.items();
    assertThat(world.fix().repaired()).isZero();
    assertThat(world.items()).isEqualTo(repaired);
  }

  @ParameterizedTest
  @MethodSource("social.feed.ctl.UnrepairableFaults#all")
  void fault_thatAPersonMustDecideAbout_isFoundAndLeft(Fault fault) {
    fault.plant().accept(world);
    var planted = world.items();
    planted.removeAll(clean);
    var report = world.verify();
    assertThat(report.render()).contains(fault.reported());
    assertThat(report.rows()).as("the walk continues").isEqualTo(world.items().size());

    var fixed = world.fix();

    assertThat(fixed.after().isClean()).isFalse();
    assertThat(fixed.render()).contains("left, ").contains(fault.reported());
    assertThat(world.items()).containsAll(planted);
    assertThat(world.fix().repaired()).isZero();
  }

  @Test
  void followThatWasNotBackfilled_getsTheEarlierPosts() {
    world.plant(Follow.imported("2", "1", Fault.now()));

    world.fix();

    var entries = new HomeFeeds(world.table()).entries("2", Instant.EPOCH).flatMap(List::stream);
    assertThat(entries).extracting(FeedEntry::authorId).contains("1", "1");
  }

  /** The author's newest posts alone include none that is older than the follow. */
  @Test
  void followThatWasNotBackfilled_beforeManyPosts_getsTheEarlierPosts() {
    var before = world.postOf("1").postId();
    world.plant(Follow.imported("2", "1", Fault.now()));
    IntStream.range(0, Follow.NEWEST)
        .mapToObj(number -> Written.post("1", Fault.now(), "news " + number))
        .forEach(new Posts(world.table())::create);

    assertThat(world.verify().render()).contains("was not backfilled with earlier posts");
    world.fix();

    var entries = new HomeFeeds(world.table()).entries("2", Instant.EPOCH).flatMap(List::stream);
    assertThat(entries).extracting(FeedEntry::postId).contains(before);
  }

  /** Pulled posts are read from the author, so no backfill delivers them. */
  @Test
  void followOfAnAuthorWithOnlyPulledPosts_isNoDrift() {
    world.plant(Follow.imported("2", "1", Fault.now()));
    assertThat(world.verify().render()).contains("was not backfilled");

    var posts = new Posts(world.table());
    posts
        .allOfAuthor("1")
        .forEach(
            post -> world.set(Post.key(post.postId()), "delivery", AttributeValue.fromS("pull")));

    assertThat(world.verify().render()).doesNotContain("was not backfilled");
  }

  /** The profile takes only a version of the quota that is later than its copy. */
  @Test
  void lostQuota_countsLaterChangesInTheProfile() {
    var follows = new FollowWriter(world.table(), 100);
    for (int i = 0; i < 2; i++) {
      follows.unfollow("1", "3");
      follows.follow(Follow.of("1", "3", Fault.now()));
    }
    world.drain();
    world.steal(FollowQuota.key("1"));
    world.fix();

    follows.unfollow("1", "3");
    world.drain();

    assertThat(new Users(world.table()).get("1").orElseThrow().followingCount()).isEqualTo(1);
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  @Test
  void allFaultsTogether_areRepaired() {
    // A lost row cannot have a second fault.
    Fault.repairable().stream()
        .filter(fault -> !fault.name().contains("lost"))
        .forEach(fault -> fault.plant().accept(world));

    var fixed = world.fix();

    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    assertThat(fixed.lines()).allSatisfy(line -> assertThat(line.left()).isZero());
    assertThat(world.fix().repaired()).isZero();
  }

  /** As after a batch that was given up: the stream does not know of this mention. */
  @Test
  void mentionInAPost_isRemovedOnceThePostIsHidden() {
    var post = world.postOf("2");
    var mention = NotificationFaults.mention(post.postId());
    world.plant(mention);
    assertThat(world.verify().render()).doesNotContain("which others must not see");
    world.set(post.key(), Post.VISIBILITY, AttributeValue.fromS("private"));
    assertThat(world.verify().render()).contains("which others must not see");

    var fixed = world.fix();

    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    assertThat(world.table().get(mention.key())).isEmpty();
  }

  @Test
  void recordOfAReader_whoEndedTheSpecialFollow_isNoDrift() {
    world.plant(NotificationFaults.record(world.postOf("3")));

    var report = world.verify();

    assertThat(report.isClean()).as(report.render()).isTrue();
  }

  @Test
  void recordOfAReader_whoMutedTheAuthor_isNoDrift() {
    GraphFaults.followSpecially(world);
    world.plant(NotificationFaults.record(world.postOf("3")));
    world.plant(NotificationFaults.record(world.postOf("3")));
    UnrepairableFaults.relate(world, "1");
    world.plant(Mute.of("1", "3", Fault.AT, null));

    var report = world.verify();

    assertThat(report.isClean()).as(report.render()).isTrue();
  }

  @Test
  void cleanTable_isNotChanged() {
    var fixed = world.fix();

    assertThat(fixed.repaired()).isZero();
    assertThat(fixed.after().isClean()).isTrue();
    assertThat(world.items()).isEqualTo(clean);
  }
}
