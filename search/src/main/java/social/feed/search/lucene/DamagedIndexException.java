package social.feed.search.lucene;

import java.io.IOException;

/**
 * Thrown when the files of an index cannot be read: some are damaged or missing, or another version
 * of Lucene wrote them. Only a new index helps.
 */
public final class DamagedIndexException extends IOException {
  DamagedIndexException(Exception cause) {
    super("The index is damaged or of another version", cause);
  }
}
