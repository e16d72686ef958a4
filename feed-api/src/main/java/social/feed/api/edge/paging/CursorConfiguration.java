package social.feed.api.edge.paging;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.nio.charset.StandardCharsets;

/**
 * The signature of cursors.
 *
 * @param secret the key that signs cursors, at least 32 bytes; the same on every instance
 */
@ConfigurationProperties("feed.cursor")
record CursorConfiguration(String secret) {
  private static final int SECRET_BYTES_MIN = 32;

  CursorConfiguration {
    if (secret.getBytes(StandardCharsets.UTF_8).length < SECRET_BYTES_MIN) {
      throw new IllegalArgumentException(
          "feed.cursor.secret needs at least " + SECRET_BYTES_MIN + " bytes");
    }
  }

  /** Omits the secret, since the text may be logged. */
  @Override
  public String toString() {
    return "CursorConfiguration";
  }
}
