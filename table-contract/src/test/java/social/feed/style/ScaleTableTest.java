package social.feed.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The table of mistakes of scale in the page about testing. A renamed test or planted bug would
 * leave a row that proves nothing. The test reads names only: that a bug is found is asserted where
 * it is planted.
 */
class ScaleTableTest {
  private static final Path DOCS = Path.of("..", "docs").toAbsolutePath().normalize();
  private static final String HEADING = "## Mistakes of scale";
  private static final int ROWS = 14;

  /** A link to a source, or a name in the source that was linked last. */
  private static final Pattern REFERENCE =
      Pattern.compile("\\[`\\w+`]\\((?<source>\\.\\./\\S+\\.java)\\)|`(?<name>\\w+)`");

  /** A row: what happened once, and the code, the tests and the planted bugs of today. */
  private record Line(String number, String once, String code, String tests, String bugs) {
    static Line of(String line) {
      var cells = line.split("\\|", -1);
      assertThat(cells).as(line).hasSize(7);
      return new Line(
          cells[1].strip(), cells[2].strip(), cells[3].strip(), cells[4].strip(), cells[5].strip());
    }
  }

  /**
   * What a row points at.
   *
   * @param name a test or a planted bug, empty for the source as a whole
   */
  private record Reference(Path source, String name) {
    private boolean exists() {
      return Files.exists(source) && text().contains(name.isEmpty() ? "" : " " + name + "(");
    }

    private boolean isOfAProof() {
      var path = source.toString().replace('\\', '/');
      return path.contains("/bounds/src/test/")
          || path.contains("/simulation/src/test/")
          || text().contains("StreamlessCloud");
    }

    private String text() {
      try {
        return Files.readString(source);
      } catch (IOException e) {
        return "";
      }
    }
  }

  private static List<Line> lines() throws IOException {
    var page = Files.readString(DOCS.resolve("testing.md"));
    var section = page.substring(page.indexOf(HEADING) + HEADING.length());
    return section
        .lines()
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.matches("\\| \\d+ \\|.*"))
        .map(Line::of)
        .toList();
  }

  private static List<Reference> references(String cell) {
    var found = new ArrayList<Reference>();
    var matcher = REFERENCE.matcher(cell);
    Path source = DOCS;
    while (matcher.find()) {
      if (matcher.group("source") != null) {
        source = DOCS.resolve(matcher.group("source")).normalize();
        found.add(new Reference(source, ""));
      } else {
        found.add(new Reference(source, matcher.group("name")));
      }
    }
    return found;
  }

  @Test
  void rows_areTheFourteen_andNameCodeTestsAndBugs() throws IOException {
    assertThat(lines())
        .extracting(Line::number)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, ROWS).mapToObj(String::valueOf).toList());
    assertThat(lines())
        .allSatisfy(
            line -> {
              assertThat(line.once()).isNotEmpty();
              assertThat(references(line.code())).isNotEmpty().allMatch(Reference::exists);
              assertThat(references(line.tests()))
                  .allMatch(Reference::exists)
                  .anyMatch(reference -> !reference.name().isEmpty());
              assertThat(references(line.bugs()))
                  .allMatch(Reference::exists)
                  .anyMatch(reference -> !reference.name().isEmpty() && reference.isOfAProof());
            });
  }

  @Test
  void nameThatIsGone_isFound() {
    var here = "[`ScaleTableTest`](../table-contract/src/test/java/social/feed/style/";

    assertThat(references(here + "ScaleTableTest.java) `nameThatIsGone_isFound`"))
        .hasSize(2)
        .allMatch(Reference::exists);
    assertThat(references(here + "ScaleTableTest.java) `nameThatWasRenamed`").getLast().exists())
        .isFalse();
    assertThat(references(here + "Renamed.java)").getLast().exists()).isFalse();
  }
}
