package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.row.RowKind;

class EffectsPageTest {

  @Test
  void page_isTheOneThatIsKept() throws IOException {
    var kept = root().resolve("docs").resolve("stream-effects.md");
    if (Boolean.getBoolean("goldens.update")) {
      Files.createDirectories(kept.getParent());
      Files.writeString(kept, EffectsPage.render());
    }
    assertThat(kept).as("rewrite it with -Dgoldens.update=true").hasContent(EffectsPage.render());
  }

  @Test
  void samples_haveEveryKind() {
    var sampled =
        SampleRows.all().values().stream()
            .map(row -> RowKind.of(row.getClass()).orElseThrow())
            .toList();
    assertThat(sampled).containsAll(Arrays.asList(RowKind.values()));
  }

  private static Path root() {
    return Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
        .filter(folder -> Files.isDirectory(folder.resolve("table-design")))
        .findFirst()
        .orElseThrow();
  }
}
