package social.feed.api.edge.paging;

import io.micronaut.context.annotation.ConfigurationProperties;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.configuration.Secret;

/**
 * The signature of cursors.
 *
 * @param secret the key that signs cursors, at least 32 bytes; the same on every instance
 * @param otherSecret another key whose cursors are accepted and that signs none: the next or the
 *     former one, while the key changes
 */
@ConfigurationProperties("feed.cursor")
record CursorConfiguration(@Secret String secret, @Nullable @Secret String otherSecret) {
  /** Omits the secret, since the text may be logged. */
  @Override
  public String toString() {
    return "CursorConfiguration";
  }
}
