package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that each stack is deployed after the stacks that it depends on, whichever stack the
 * command names.
 */
class FeedStacksTest {

  @Test
  void stacks_ofProduction_areProtectedAgainstDeletion() {
    var prod = Synthesized.of(Stage.PROD);

    assertThat(prod.protectedParts()).containsExactlyElementsOf(prod.parts());
    assertThat(Synthesized.of(Stage.DEV).protectedParts()).isEmpty();
  }

  /** A new row kind is readable everywhere before anything writes it. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void stacks_areDeployedInTheOrder_table_function_api_alarms(Stage stage) {
    var stacks = Synthesized.of(stage);

    assertThat(stacks.dependencies("data")).doesNotContain("stream", "api", "watch");
    assertThat(stacks.dependencies("stream")).contains("data").doesNotContain("api", "watch");
    assertThat(stacks.dependencies("api")).contains("data", "stream").doesNotContain("watch");
    assertThat(stacks.dependencies("watch")).contains("data", "stream", "api");
  }
}
