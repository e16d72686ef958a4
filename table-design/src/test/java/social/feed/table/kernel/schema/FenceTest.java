package social.feed.table.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.row.Fence;
import social.feed.table.row.Row;

/** Fences lie around the rows that they cover. */
class FenceTest {
  @Test
  void fences_lieAroundAllOtherRowsOfTheirPartition() {
    var rows =
        Stream.concat(SampleRows.complete().stream(), SampleRows.variants().stream())
            .filter(row -> !(row instanceof Fence))
            .map(Row::key)
            .toList();

    assertThat(rows)
        .allSatisfy(
            key ->
                assertThat(key.sort())
                    .isGreaterThan(Fence.key(key.partition(), "f00d", false).sort())
                    .isLessThan(Fence.key(key.partition(), "f00d", true).sort()));
  }

  @Test
  void onlyFences_haveKeysOfFences() {
    assertThat(SampleRows.complete())
        .allSatisfy(row -> assertThat(Fence.isAt(row.key())).isEqualTo(row instanceof Fence));
  }

  @Test
  void fence_namesTheAccountOfItsPartition() {
    var referenced =
        Stream.concat(SampleRows.complete().stream(), SampleRows.variants().stream())
            .filter(Fence.class::isInstance)
            .map(Row::referencedAccounts);

    assertThat(referenced).containsExactly(Set.of("alice"), Set.of());
  }
}
