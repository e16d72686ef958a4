package social.feed.table.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.PageRequest;

class AccessPatternTest {
  @ParameterizedTest
  @CsvSource({
    "FEED-001,               , NONE,          1,  50",
    "FEED-002, GSI1          , NEWEST_FIRST, 50, 100",
    "FEED-003, GSI3          , NEWEST_FIRST, 50, 120",
    "FEED-004,               , NONE,          1,  60",
    "FEED-005, GSI1          , NEWEST_FIRST, 200, 150",
    "FEED-006,               , OLDEST_FIRST, 200, 180",
    "FEED-007, GSI2          , NEWEST_FIRST, 200, 200",
    "FEED-008, GSI_FOL       , NEWEST_FIRST, 500, 250",
    "FEED-009, GSI_NOTIF     , NEWEST_FIRST, 50, 120",
    "FEED-010, GSI1          , HIGHEST_FIRST, 100, 500",
    "FEED-011, GSI_FOLLOWING , NEWEST_FIRST, 500, 250",
    "FEED-012,               , NONE,         30,  60",
    "FEED-013,               , NEWEST_FIRST, 50, 120",
    "FEED-014,               , BY_ID, 500, 100",
    "FEED-015, GSI1          , HIGHEST_FIRST, 50, 500",
    "FEED-016, GSI2          , NEWEST_FIRST, 50, 120",
    "FEED-017, GSI2          , NEWEST_FIRST, 50, 120",
    "FEED-018, GSI1          , NEWEST_FIRST, 50, 120"
  })
  void pattern_ofTheMatrix_hasItsIndexOrderMaximumAndGoal(
      String id, String index, Order order, int maxPage, int goalMillis) {
    var pattern = pattern(id);

    assertThat(pattern.index().map(Index::indexName).orElse(null)).isEqualTo(index);
    assertThat(pattern.order()).isEqualTo(order);
    assertThat(pattern.maxPage()).isEqualTo(maxPage);
    assertThat(pattern.goalMillis()).isEqualTo(goalMillis);
  }

  @ParameterizedTest
  @EnumSource(AccessPattern.class)
  void path_ofAPatternWithAnIndex_namesIt(AccessPattern pattern) {
    assertThat(pattern.title()).isNotBlank();
    pattern
        .index()
        .ifPresentOrElse(
            index -> assertThat(pattern.path()).matches("Query " + index.indexName() + "( .*)?"),
            () -> assertThat(pattern.path()).matches("(GetItem|Query base|BatchGetItem)\\b.*"));
  }

  @ParameterizedTest
  @EnumSource(AccessPattern.class)
  void requireWithin_oneMoreThanTheMaximum_isTheMost(AccessPattern pattern) {
    pattern.requireWithin(PageRequest.first(pattern.maxPage() + 1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> pattern.requireWithin(PageRequest.first(pattern.maxPage() + 2)))
        .withMessageContaining(pattern.id());
  }

  private static AccessPattern pattern(String id) {
    return Arrays.stream(AccessPattern.values())
        .filter(pattern -> pattern.id().equals(id))
        .findFirst()
        .orElseThrow();
  }
}
