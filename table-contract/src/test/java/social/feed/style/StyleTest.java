package social.feed.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rules over the sources of all modules. A fixture is a file of sources that each break the
 * rule, every one below a line with its path.
 */
class StyleTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path FIXTURES = Path.of("src/test/resources/style");
  private static final String PATH = "=== ";

  @ParameterizedTest
  @EnumSource(StyleRule.class)
  void rule_overAllSources_isKept(StyleRule rule) throws IOException {
    assertThat(rule.brokenIn(SourceFile.below(ROOT))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(StyleRule.class)
  void rule_overItsFixture_findsEachSource(StyleRule rule) throws IOException {
    var fixture = fixture(rule.name());
    assertThat(fixture).isNotEmpty();

    for (var source : fixture) {
      assertThat(rule.brokenIn(List.of(source))).as(source.text()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(StyleRule.class)
  void rule_overWhatIsAllowed_findsNothing(StyleRule rule) throws IOException {
    assertThat(rule.brokenIn(fixture("ALLOWED"))).isEmpty();
  }

  @Test
  void sources_ofAllModules_areRead() throws IOException {
    assertThat(SourceFile.below(ROOT))
        .extracting(SourceFile::path)
        .hasSizeGreaterThan(300)
        .anyMatch(path -> path.startsWith("table-design/src/main/"))
        .anyMatch(path -> path.startsWith("table-contract/src/test/"))
        .anyMatch(path -> path.startsWith("feed-api/src/main/"));
  }

  private static List<SourceFile> fixture(String name) throws IOException {
    var sources = new ArrayList<SourceFile>();
    var parts = Files.readString(FIXTURES.resolve(name + ".txt")).split("(?m)^" + PATH, -1);
    for (var part : Arrays.asList(parts).subList(1, parts.length)) {
      int end = part.indexOf('\n');
      sources.add(new SourceFile(part.substring(0, end), part.substring(end + 1)));
    }
    return sources;
  }
}
