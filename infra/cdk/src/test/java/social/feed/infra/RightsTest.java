package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the roles may do to the table is what the code behind them calls, and nothing else. */
class RightsTest {
  @Test
  void rightsOfTheApi_areWhatItsCodeCalls() {
    var code = ReachableCalls.of("social.feed.api");

    assertThat(TableAccess.OF_API.onTable()).containsExactlyElementsOf(code.actions());
    assertThat(TableAccess.OF_API.queried()).containsExactlyElementsOf(code.indexes());
  }

  @Test
  void rightsOfTheMultiplexer_areWhatItsCodeCalls() {
    var code = ReachableCalls.of("social.feed.streams");

    assertThat(TableAccess.OF_MULTIPLEXER.onTable()).containsExactlyElementsOf(code.actions());
    assertThat(TableAccess.OF_MULTIPLEXER.queried()).containsExactlyElementsOf(code.indexes());
  }

  /** The search finds what no part may do. */
  @Test
  void census_ofTheWholeTable_needsAScan() {
    assertThat(ReachableCalls.of("social.feed.table.kernel.store").actions())
        .contains("dynamodb:Scan");
  }
}
