package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.plan.Effect;
import social.feed.table.row.RowKind;
import social.feed.testkit.GeneratedPage;

class EffectsPageTest {

  @Test
  void page_isTheOneThatIsKept() {
    GeneratedPage.named("stream-effects.md").is(EffectsPage.render());
  }

  @Test
  void samples_haveEveryKind() {
    var sampled = SampleRowLists.all().values().stream().map(row -> row.kind()).toList();
    assertThat(sampled).containsAll(Arrays.asList(RowKind.values()));
  }

  /** An effect that no sample causes would be one that the page denies. */
  @ParameterizedTest
  @MethodSource("effects")
  void page_hasEveryKindOfEffect(String effect) {
    assertThat(EffectsPage.render()).containsPattern("[|;] " + effect + "\\b");
  }

  static Stream<String> effects() {
    return Arrays.stream(Effect.class.getPermittedSubclasses()).map(Class::getSimpleName);
  }
}
