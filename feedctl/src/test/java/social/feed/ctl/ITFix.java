package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
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
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.Posts;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Post;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Each kind of fault is planted, seen, and put right, or named where nobody can put it right. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITFix {
  private static final String GRAPH = "1 2\n1 3\n2 3\n3 1\n";

  private final VerifyWorld world = new VerifyWorld();
  private Set<Map<String, AttributeValue>> sound = Set.of();

  @BeforeAll
  void load(@TempDir Path folder) {
    world.load(folder, GRAPH, 2, 100);
    var post = world.postOf("3");
    var at = Fault.now();
    new Likes(world.table()).add(new Like(post.postId(), "1", "3", at));
    new Comments(world.table())
        .add(new Comment(post.postId(), post.postId(), "2", "3", "So it is", at));
    sound = world.items();
  }

  @BeforeEach
  void begin() {
    var before = world.verify();
    assertThat(before.isClean()).as(before.render()).isTrue();
  }

  @AfterEach
  void heal() {
    world.restore(sound);
  }

  @AfterAll
  void stop() {
    world.close();
  }

  @ParameterizedTest
  @MethodSource("social.feed.ctl.Fault#repairable")
  void fault_isSeenAndRepaired_andThenNothingIsLeftToDo(Fault fault) {
    fault.plant().accept(world);
    assertThat(world.verify().render()).contains(fault.says());

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
  void fault_thatAPersonHasToDecideAbout_isSeenAndLeft(Fault fault) {
    fault.plant().accept(world);
    var planted = world.items();
    planted.removeAll(sound);
    var seen = world.verify();
    assertThat(seen.render()).contains(fault.says());
    assertThat(seen.rows()).as("the walk goes on").isEqualTo(world.items().size());

    var fixed = world.fix();

    assertThat(fixed.after().isClean()).isFalse();
    assertThat(fixed.render()).contains("left, ").contains(fault.says());
    assertThat(world.items()).containsAll(planted);
    assertThat(world.fix().repaired()).isZero();
  }

  /** The note alone would be a promise. */
  @Test
  void followThatWasNotFilledUp_bringsThePostsOfBefore() {
    world.plant(Follow.adopted("2", "1", Fault.now()));

    world.fix();

    var brought = new HomeFeeds(world.table()).entries("2").flatMap(List::stream);
    assertThat(brought).extracting(FeedEntry::authorId).contains("1", "1");
  }

  /** Looking at the author's newest posts alone would find nothing older than the follow. */
  @Test
  void followThatWasNotFilledUp_beforeManyPosts_bringsThePostsOfBefore() {
    var before = world.postOf("1").postId();
    world.plant(Follow.adopted("2", "1", Fault.now()));
    IntStream.range(0, Follow.NEWEST)
        .mapToObj(number -> Written.post("1", Fault.now(), "news " + number))
        .forEach(new Posts(world.table())::create);

    assertThat(world.verify().render()).contains("was not filled up with earlier posts");
    world.fix();

    var brought = new HomeFeeds(world.table()).entries("2").flatMap(List::stream);
    assertThat(brought).extracting(FeedEntry::postId).contains(before);
  }

  /** They are read from the author, and no backfill was ever to bring them. */
  @Test
  void followOfWhoHadOnlyPulledPosts_isNoDrift() {
    world.plant(Follow.adopted("2", "1", Fault.now()));
    assertThat(world.verify().render()).contains("was not filled up");

    var posts = new Posts(world.table());
    posts
        .allOfAuthor("1")
        .forEach(
            post -> world.set(Post.key(post.postId()), "delivery", AttributeValue.fromS("pull")));

    assertThat(world.verify().render()).doesNotContain("was not filled up");
  }

  @Test
  void faultsOfAllKindsTogether_areRepaired() {
    // What is lost cannot be spoilt in another way as well.
    Fault.repairable().stream()
        .filter(fault -> !fault.name().contains("lost"))
        .forEach(fault -> fault.plant().accept(world));

    var fixed = world.fix();

    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    assertThat(fixed.lines()).allSatisfy(line -> assertThat(line.left()).isZero());
    assertThat(world.fix().repaired()).isZero();
  }

  @Test
  void noteOfWhoCeasedToFollowSpecially_beforeBeingTold_isNoDrift() {
    world.plant(NotificationFaults.told(world.postOf("3")));

    var seen = world.verify();

    assertThat(seen.isClean()).as(seen.render()).isTrue();
  }

  @Test
  void noteOfWhoMutedTheAuthor_beforeThePostWasShownAgain_isNoDrift() {
    GraphFaults.mark(world);
    world.plant(NotificationFaults.told(world.postOf("3")));
    world.plant(NotificationFaults.told(world.postOf("3")));
    world.plant(Mute.of("1", "3", Fault.AT, null));

    var seen = world.verify();

    assertThat(seen.isClean()).as(seen.render()).isTrue();
  }

  @Test
  void nothingWrong_changesNothing() {
    var fixed = world.fix();

    assertThat(fixed.repaired()).isZero();
    assertThat(fixed.after().isClean()).isTrue();
    assertThat(world.items()).isEqualTo(sound);
  }
}
