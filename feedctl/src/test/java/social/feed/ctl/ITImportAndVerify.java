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

/** A small graph through the whole platform, twice, and beyond the cap. */
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
  void followerBeyondTheCap_isNamedAndTheOthersAreLoaded() {
    var result = load(1);

    assertThat(result.refused()).singleElement().asString().contains("1 follows 0");
    assertThat(result.edges()).isEqualTo(2);
    assertThat(world.verify().isClean()).isTrue();
  }

  private ImportResult load(long cap) {
    return world.load(folder, GRAPH, 2, cap);
  }

  private Page<?> feedOf(String userId) {
    return new HomeFeeds(world.table()).of(userId, PageRequest.first(50));
  }
}
