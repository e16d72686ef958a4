package social.feed.event;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version of this build. What it writes has it, for versions that cannot read that. */
public final class Release {
  /** Such as {@code 1.2.3}, or {@code 1.2.3-SNAPSHOT} of a build between two releases. */
  public static final String VERSION = read();

  private Release() {}

  private static String read() {
    var properties = new Properties();
    try (var file = Release.class.getResourceAsStream("release.properties")) {
      properties.load(Objects.requireNonNull(file, "release.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
