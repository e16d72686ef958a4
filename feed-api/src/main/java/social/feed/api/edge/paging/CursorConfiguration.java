package social.feed.api.edge.paging;

import io.micronaut.context.annotation.ConfigurationProperties;
import social.feed.api.edge.configuration.Secret;

/**
 * The signature of cursors.
 *
 * @param secret the key that signs cursors, at least 32 bytes; the same on every instance
 */
@ConfigurationProperties("feed.cursor")
record CursorConfiguration(@Secret String secret) {
  /** Omits the secret, since the text may be logged. */
  @Override
  public String toString() {
    return "CursorConfiguration";
  }
}
