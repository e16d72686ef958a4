package social.feed.ctl.graph;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import social.feed.api.edge.security.UserIds;

/**
 * A follower graph as text. Each line is {@code follower followee}, separated by blanks, tabs or a
 * comma. Lines that are empty or begin with {@code #} are ignored. The file may be compressed with
 * gzip, under any name.
 */
public final class EdgeFile {
  private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int SHOWN = 60;

  private final Path path;

  public EdgeFile(Path path) {
    this.path = path;
  }

  /** The content of a line. */
  public sealed interface Line {
    /** One account follows another. */
    record Edge(String follower, String followee) implements Line {}

    /** A line that cannot be read. */
    record Bad(long number, String text, String reason) implements Line {}
  }

  /**
   * Returns the lines that are not ignored, in their order. Reads lazily; the caller must close the
   * stream.
   *
   * @throws UncheckedIOException if the file cannot be read to its end
   */
  public Stream<Line> lines() {
    try {
      var reader = new BufferedReader(new InputStreamReader(open(), StandardCharsets.UTF_8));
      var number = new AtomicLong();
      return reader
          .lines()
          .onClose(() -> close(reader))
          .flatMap(text -> line(number.incrementAndGet(), text.strip()));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + path, e);
    }
  }

  private static Stream<Line> line(long number, String text) {
    if (text.isEmpty() || text.startsWith("#")) {
      return Stream.empty();
    }
    var parts = SEPARATOR.split(text);
    if (parts.length != 2) {
      return bad(
          number, text, "a line must have two ids, follower and followee, not " + parts.length);
    }
    for (var part : parts) {
      if (!UserIds.canBeSubject(part)) {
        return bad(number, text, "an id " + UserIds.RULE_OF_TOKENS);
      }
    }
    if (parts[0].equals(parts[1])) {
      return bad(number, text, "an account cannot follow itself");
    }
    return Stream.of(new Line.Edge(parts[0], parts[1]));
  }

  private static Stream<Line> bad(long number, String text, String reason) {
    var shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    return Stream.of(new Line.Bad(number, shown.replaceAll("\\p{Cntrl}", "?"), reason));
  }

  private InputStream open() throws IOException {
    var file = new BufferedInputStream(Files.newInputStream(path));
    file.mark(2);
    int magic = (file.read() << 8) | file.read();
    file.reset();
    return magic == GZIP_MAGIC ? new GZIPInputStream(file) : file;
  }

  private static void close(BufferedReader reader) {
    try {
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
