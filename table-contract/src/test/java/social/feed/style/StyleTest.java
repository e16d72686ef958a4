package social.feed.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
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

  private static List<SourceFile> all;

  @BeforeAll
  static void readAll() throws IOException {
    all = SourceFile.below(ROOT);
  }

  @ParameterizedTest
  @EnumSource(StyleRule.class)
  void rule_overAllSources_isKept(StyleRule rule) {
    assertThat(rule.brokenIn(all)).isEmpty();
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
  void typeNames_ofAllModules_areUnique() {
    assertThat(repeatedNames(all)).isEmpty();
  }

  @Test
  void typeName_inTwoModules_isFound() {
    var one = new SourceFile("a/src/main/java/a/Outcome.java", "class Outcome {}");
    var other = new SourceFile("b/src/test/java/b/Outcome.java", "class Outcome {}");

    assertThat(repeatedNames(List.of(one, other))).containsExactly("Outcome");
  }

  @Test
  void sources_ofAllModules_areRead() {
    assertThat(all)
        .extracting(SourceFile::path)
        .hasSizeGreaterThan(300)
        .anyMatch(path -> path.startsWith("table-design/src/main/"))
        .anyMatch(path -> path.startsWith("table-contract/src/test/"))
        .anyMatch(path -> path.startsWith("feed-api/src/main/"))
        .contains("README.md", "feed", ".ci/run", "docs/adr/0004-counts.md", "pom.xml");
  }

  /** A name that two files have would mean two things. */
  private static List<String> repeatedNames(List<SourceFile> files) {
    return files.stream()
        .filter(SourceFile::isJava)
        .collect(Collectors.groupingBy(SourceFile::name, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .filter(name -> name.getValue() > 1 && !name.getKey().equals("package-info"))
        .map(Map.Entry::getKey)
        .toList();
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
