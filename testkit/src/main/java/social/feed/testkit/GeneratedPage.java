package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A page of {@code docs/} that is rendered from the code and committed. A test compares the two;
 * {@code -Dgoldens.update=true} writes the page anew.
 */
public final class GeneratedPage {
  private final Path path;

  private GeneratedPage(Path path) {
    this.path = path;
  }

  /** The page with this name in {@code docs/}. */
  public static GeneratedPage named(String name) {
    return new GeneratedPage(root().resolve("docs").resolve(name));
  }

  /** Fails when the committed page is not the rendered one. */
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

  private static Path root() {
    return Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
        .filter(folder -> Files.isDirectory(folder.resolve("table-design")))
        .findFirst()
        .orElseThrow();
  }
}
