package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A committed page of {@code docs/} that is rendered from the code. A test compares the two; {@code
 * -Dgoldens.update=true} writes the page.
 */
public final class GeneratedPage {
  private final Path path;

  private GeneratedPage(Path path) {
    this.path = path;
  }

  /** Returns the page with a name in {@code docs/}. */
  public static GeneratedPage named(String name) {
    return new GeneratedPage(root().resolve("docs").resolve(name));
  }

  /**
   * Fails unless a section of the committed page equals the rendered text. The section starts after
   * the given line and ends at the next heading or the end of the page. The rest of the page is
   * written by hand.
   */
  public void has(String line, String rendered) {
    try {
      String page = Files.readString(path);
      int from = page.indexOf(line) + line.length();
      assertThat(from).as(line).isGreaterThanOrEqualTo(line.length());
      int next = page.indexOf("\n## ", from);
      int to = next < 0 ? page.length() : next;
      is(page.substring(0, from) + rendered + page.substring(to));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails unless the committed page equals the rendered one. */
  public void is(String rendered) {
    try {
      if (Boolean.getBoolean("goldens.update")) {
        Files.createDirectories(path.getParent());
        Files.writeString(path, rendered);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(path).as("rewrite it with -Dgoldens.update=true").hasContent(rendered);
  }

  /** Returns the folder of the whole project, from any module. */
  public static Path root() {
    return Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
        .filter(folder -> Files.isDirectory(folder.resolve("table-design")))
        .findFirst()
        .orElseThrow();
  }
}
