package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import social.feed.table.row.RowKind;
import social.feed.testkit.GeneratedPage;

class EffectsPageTest {

  @Test
  void page_isTheOneThatIsKept() {
    GeneratedPage.named("stream-effects.md").is(EffectsPage.render());
  }

  @Test
  void samples_haveEveryKind() {
    var sampled =
        SampleRows.all().values().stream()
            .map(row -> RowKind.of(row.getClass()).orElseThrow())
            .toList();
    assertThat(sampled).containsAll(Arrays.asList(RowKind.values()));
  }
}
