package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.row.PulledAuthor;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;

/** Each change of the pull registry that readers must see raises its revision. */
@ExtendWith(EngineExtension.class)
class ITPullRegistry {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final TestTable table;
  private final PullRegistry registry;
  private final String author = Names.fresh();
  private final long before;

  ITPullRegistry(TestTable table) {
    this.table = table;
    this.registry = new PullRegistry(table.table());
    this.before = registry.revision();
  }

  private long raised() {
    return registry.revision() - before;
  }

  @Test
  void flip_costsThreeWrites_andRaisesTheRevisionOnce() {
    var flip = TestTable.costOf(() -> registry.flip(author, true, 1, NOW));
    assertThat(raised()).isEqualTo(1);
    var published = TestTable.costOf(() -> registry.change(author, NOW, row -> row.published(1)));

    assertThat(raised()).isEqualTo(1);
    assertThat(flip.write() + published.write()).isEqualTo(3.0);
  }

  @Test
  void flipThatIsRetried_raisesTheRevisionUntilItIsPublished() {
    table.table().putAll(List.of(PulledAuthor.from(author, NOW).flipped(true, 1, NOW)));

    registry.flip(author, true, 1, NOW);

    assertThat(raised()).as("the first attempt ended after the row").isEqualTo(1);
    registry.change(author, NOW, row -> row.published(1));
    var replay = TestTable.costOf(() -> registry.flip(author, true, 1, NOW));
    assertThat(replay).isEqualTo(new ConsumedUnits(1, 0));
    assertThat(raised()).isEqualTo(1);
  }

  @Test
  void coveredPost_costsARead_andAnEarlierOneRaisesTheRevision() {
    registry.flip(author, true, 1, NOW);

    var covered = TestTable.costOf(() -> registry.change(author, NOW, row -> row.covering(NOW)));
    assertThat(covered).isEqualTo(new ConsumedUnits(1, 0));
    var earlier = NOW.minus(Duration.ofSeconds(1));
    registry.change(author, earlier, row -> row.covering(earlier));

    assertThat(raised()).isEqualTo(2);
    assertThat(registry.get(author).orElseThrow().pullFrom()).isEqualTo(earlier);
  }

  /** A post can be written under a flag that has not reached the registry yet. */
  @Test
  void coveredPost_ofAnAuthorWithoutARow_raisesTheRevision() {
    registry.change(author, NOW, row -> row.covering(NOW));

    assertThat(raised()).isEqualTo(1);
  }

  @Test
  void revision_costsHalfAUnit_andIsNoAuthor() {
    registry.flip(author, true, 1, NOW);

    assertThat(TestTable.costOf(registry::revision)).isEqualTo(new ConsumedUnits(0.5, 0));
    assertThat(registry.authors())
        .extracting(PulledAuthor::authorId)
        .contains(author)
        .doesNotContain("REVISION");
  }
}
