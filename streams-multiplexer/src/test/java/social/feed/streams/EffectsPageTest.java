package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.effect.EffectType;
import social.feed.streams.plan.Plan;
import social.feed.table.row.RowKind;
import social.feed.testkit.GeneratedPage;

class EffectsPageTest {

  @Test
  void page_isUpToDate() {
    GeneratedPage.named("stream-effects.md").is(EffectsPage.render());
  }

  @Test
  void samples_haveEveryKindWithEffects() {
    var sampled = SampleRowLists.all().values().stream().map(row -> row.kind()).toList();
    assertThat(RowKind.values())
        .filteredOn(kind -> !Plan.rules(kind).isEmpty())
        .isNotEmpty()
        .isSubsetOf(sampled);
  }

  /** A line without a sample would not be tested by the samples. */
  @ParameterizedTest
  @MethodSource("effects")
  void samples_haveEveryKindOfEffect(EffectType<?> effect) {
    var samples = EffectsPage.render().split("## Effects of sample rows", -1)[1];
    assertThat(samples).containsPattern("[|;] " + effect.effect().getSimpleName() + "\\b");
  }

  static List<EffectType<?>> effects() {
    return Plan.effectTypes();
  }
}
