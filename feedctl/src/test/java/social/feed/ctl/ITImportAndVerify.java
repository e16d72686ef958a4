package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.ImportResult;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.post.Posts;
import social.feed.table.row.Block;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowRef;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/** Imports a small graph into the whole platform, and graphs that break rules. */
class ITImportAndVerify {
  private static final String GRAPH =
      """
      # follower followee
      1 2
      1 3
      2\t3
      3,1

      1 2
      not an edge
      4 4
      b#d 1
      """;
  private static final long CAP = 5_000;

  @TempDir private Path folder = Path.of("");
  private final VerifyWorld world = new VerifyWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void graph_isLoadedOnceAndHasNoDrift() {
    var first = load(CAP);
    var second = load(CAP);

    assertThat(first.survey().bad()).isEqualTo(3);
    assertThat(first.survey().examples().stream().map(EdgeFile.Line.Bad::number))
        .containsExactly(8L, 9L, 10L);
    assertThat(first.accounts()).isEqualTo(3);
    assertThat(first.edges()).isEqualTo(4);
    assertThat(first.posts()).isEqualTo(6);
    assertThat(second.accounts() + second.edges() + second.posts()).isZero();
    assertThat(world.verify().render()).doesNotContain("\n\n");
    assertThat(world.verify().isClean()).isTrue();
    assertThat(feedOf("1").items()).as("two posts each of 1, 2 and 3").hasSize(6);
  }

  @Test
  void followerBeyondTheCap_keepsTheFirstEdgesAndTheOthersAreReported() {
    var graph = "1 2\n1 3\n1 4\n2 3\n3 1\n";

    var first = world.load(folder, graph, 1, 2);
    var second = world.load(folder, graph, 1, 2);

    var sentence = "1 may follow at most 2 accounts; skipped: 4";
    assertThat(first.refused()).containsExactly(sentence);
    assertThat(first.edges()).isEqualTo(4);
    assertThat(second.refused()).containsExactly(sentence);
    assertThat(second.edges()).isZero();
    assertThat(world.verify().isClean()).isTrue();
  }

  @Test
  void edgesAcrossABlock_areReportedAndTakeNoPlaceOfOthers() {
    world.load(folder, "5 1\n2 3\n4 3\n", 0, CAP);
    var blocks =
        new BlockWriter(world.table(), new BlocksAndMutes(world.table(), Clock.systemUTC()), 10);
    blocks.block(new Block("2", "1", Fault.now()));
    blocks.block(new Block("1", "3", Fault.now()));
    world.drain();

    var within = world.load(folder, "1 2\n1 3\n1 4\n", 0, 2);
    var beyond = world.load(folder, "1 2\n1 3\n1 4\n1 5\n1 6\n", 0, 2);
    var again = world.load(folder, "1 2\n1 3\n1 4\n1 5\n1 6\n", 0, 2);

    var sentence = "1 follows no account that it blocks or that blocks it; skipped: 2, 3";
    assertThat(within.refused()).containsExactly(sentence);
    assertThat(within.edges()).isEqualTo(1);
    assertThat(beyond.refused())
        .containsExactly("1 may follow at most 2 accounts; skipped: 6", sentence);
    assertThat(beyond.edges()).isEqualTo(1);
    assertThat(again.refused()).isEqualTo(beyond.refused());
    assertThat(again.edges()).isZero();
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  /** The import takes 100,000 lines at a time, and the last one here is of the next part. */
  @Test
  void edgesOfManyLines_areInTheOrderOfTheirLines() {
    world.load(folder, "1 2\n".repeat(99_999) + "1 3\n1 4\n", 0, CAP);

    var following = new FollowEdges(world.table()).following("1", PageRequest.first(10));

    assertThat(following.items()).extracting(FollowRef::followeeId).containsExactly("4", "3", "2");
  }

  @Test
  void handleOfAnotherAccount_isKeptAndEveryEdgeHasItsAccounts() {
    var users = new Users(world.table());
    users.register(User.registered("other", "user_1", "Other", null, Fault.now()));

    var first = load(CAP);
    var second = load(CAP);

    assertThat(first.accounts()).isEqualTo(3);
    assertThat(first.edges()).isEqualTo(4);
    assertThat(first.renamed()).singleElement().asString().startsWith("1 is @user_");
    assertThat(first.refused()).isEmpty();
    assertThat(users.get("1").orElseThrow().handle()).isNotEqualTo("user_1");
    assertThat(users.idOfHandle("user_1")).contains("other");
    assertThat(second.accounts() + second.edges() + second.posts()).isZero();
    assertThat(second.renamed()).isEmpty();
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  @Test
  void erasedId_isNotCreatedAgain() {
    var users = new Users(world.table());
    users.register(User.registered("3", "three", "Three", null, Fault.now()));
    new Erasures(world.table(), users).begin("3", Fault.now());

    var loaded = load(CAP);

    assertThat(loaded.refused()).containsExactly("3 has no account and no edges: it was erased");
    assertThat(loaded.accounts()).isEqualTo(2);
    assertThat(loaded.edges()).isEqualTo(1);
    assertThat(users.get("3")).isEmpty();
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  /** The API uses the two words in the place of an id, so such an account could not be reached. */
  @Test
  void wordsInThePlaceOfAnId_areRefusedAsAccounts() {
    var loaded = world.load(folder, "me 1\n1 by-handle\nmexico 1\n1 by-handle2\n", 1, CAP);

    var reason =
        "an id must have 1 to 64 letters, digits, '-' and '_', and must not be 'me' or 'by-handle'";
    assertThat(loaded.survey().examples())
        .containsExactly(
            new EdgeFile.Line.Bad(1, "me 1", reason),
            new EdgeFile.Line.Bad(2, "1 by-handle", reason));
    assertThat(loaded.edges()).isEqualTo(2);
    assertThat(new Users(world.table()).getAll(List.of("me", "by-handle"))).isEmpty();
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  @Test
  void morePostsPerUser_areAddedToTheExistingOnes() {
    assertThat(world.load(folder, GRAPH, 2, CAP).posts()).isEqualTo(6);
    assertThat(world.load(folder, GRAPH, 5, CAP).posts()).isEqualTo(9);
    assertThat(world.load(folder, GRAPH, 3, CAP).posts()).isZero();

    assertThat(new Users(world.table()).get("2").orElseThrow().postsCount()).isEqualTo(5);
    assertThat(feedOf("1").items()).hasSize(15);
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  @Test
  void accountThatRegisteredLongAfterTheFirst_isNotInactive() {
    var users = new Users(world.table());
    var first = Fault.now().minus(Duration.ofDays(40));
    var later = Fault.now().minus(Duration.ofDays(5));
    users.register(User.registered("2", "two", "Two", null, first));
    users.register(User.registered("1", "one", "One", null, later));

    world.load(folder, GRAPH, 0, CAP);
    var edges = edgesOf("1", "2", "3");
    assertThat(world.load(folder, GRAPH, 0, CAP).edges()).isZero();

    assertThat(edgesOf("1", "2", "3")).isEqualTo(edges);
    assertThat(edges.subList(0, 2))
        .extracting(Follow::createdAt)
        .as("1 follows no one before its registration")
        .containsExactly(later, later);
    assertThat(edges.getLast().createdAt()).as("2 is older").isBefore(later);
    var newest = Written.post("2", Fault.now(), "News");
    new Posts(world.table()).create(newest);
    world.drain();
    assertThat(new HomeFeeds(world.table()).stored("1", PageRequest.first(1)).items())
        .extracting(FeedRef::postId)
        .containsExactly(newest.postId());
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  /** Returns the edges of the first account to both others, and of the second to the third. */
  private List<Follow> edgesOf(String first, String second, String third) {
    return Stream.of(Follow.key(first, second), Follow.key(first, third), Follow.key(second, third))
        .map(key -> (Follow) RowCodec.decode(world.table().get(key).orElseThrow()))
        .toList();
  }

  private ImportResult load(long cap) {
    return world.load(folder, GRAPH, 2, cap);
  }

  private Page<?> feedOf(String userId) {
    return new HomeFeeds(world.table()).stored(userId, PageRequest.first(50));
  }
}
