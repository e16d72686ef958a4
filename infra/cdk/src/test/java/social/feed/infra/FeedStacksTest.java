package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each stack is deployed after what it relies on, whichever of them is named to the command. */
class FeedStacksTest {

  /** A new row kind is readable everywhere before anything writes it. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void stacks_areDeployedTableFirst_thenTheFunction_thenTheApi_thenTheAlarms(Stage stage) {
    var stacks = Synthesized.of(stage);

    assertThat(stacks.waitedFor("data")).doesNotContain("stream", "api", "watch");
    assertThat(stacks.waitedFor("stream")).contains("data").doesNotContain("api", "watch");
    assertThat(stacks.waitedFor("api")).contains("data", "stream").doesNotContain("watch");
    assertThat(stacks.waitedFor("watch")).contains("data", "stream", "api");
  }
}
