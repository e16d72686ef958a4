package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.ImportResult;
import social.feed.table.home.HomeFeeds;
import social.feed.table.page.Page;
import social.feed.table.page.PageRequest;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/** A small graph through the whole platform, and what is in its way. */
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
  private final World world = new World();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void graph_isLoadedOnceAndClean() {
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
  void followerBeyondTheCap_keepsTheFirstEdgesAndTheOthersAreNamed() {
    var graph = "1 2\n1 3\n1 4\n2 3\n3 1\n";

    var first = world.load(folder, graph, 1, 2);
    var second = world.load(folder, graph, 1, 2);

    var sentence = "1 may follow 2 accounts and no more; left out: 4";
    assertThat(first.refused()).containsExactly(sentence);
    assertThat(first.edges()).isEqualTo(4);
    assertThat(second.refused()).containsExactly(sentence);
    assertThat(second.edges()).isZero();
    assertThat(world.verify().isClean()).isTrue();
  }

  @Test
  void handleOfSomebodyElse_isNotTakenAndNoEdgeIsLeftWithoutItsAccount() {
    var users = new Users(world.table());
    users.register(User.registered("somebody", "user_1", "Somebody", null, Fault.now()));

    var first = load(CAP);
    var second = load(CAP);

    assertThat(first.accounts()).isEqualTo(3);
    assertThat(first.edges()).isEqualTo(4);
    assertThat(first.renamed()).singleElement().asString().startsWith("1 is @user_");
    assertThat(first.refused()).isEmpty();
    assertThat(users.get("1").orElseThrow().handle()).isNotEqualTo("user_1");
    assertThat(users.idOfHandle("user_1")).contains("somebody");
    assertThat(second.accounts() + second.edges() + second.posts()).isZero();
    assertThat(second.renamed()).isEmpty();
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  @Test
  void morePostsPerUser_areAddedToThoseThatAreThere() {
    assertThat(world.load(folder, GRAPH, 2, CAP).posts()).isEqualTo(6);
    assertThat(world.load(folder, GRAPH, 5, CAP).posts()).isEqualTo(9);
    assertThat(world.load(folder, GRAPH, 3, CAP).posts()).isZero();

    assertThat(new Users(world.table()).get("2").orElseThrow().postsCount()).isEqualTo(5);
    assertThat(feedOf("1").items()).hasSize(15);
    assertThat(world.verify().isClean()).as(world.verify().render()).isTrue();
  }

  private ImportResult load(long cap) {
    return world.load(folder, GRAPH, 2, cap);
  }

  private Page<?> feedOf(String userId) {
    return new HomeFeeds(world.table()).stored(userId, PageRequest.first(50));
  }
}
