package social.feed.streams.effect;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.table.kernel.store.Retry;
import social.feed.table.media.MediaStore;

/**
 * Removes the objects of files, without holding up other effects for long: up to three attempts
 * with short pauses, and one where the store does not answer. Then none for half a minute, since
 * each would wait for it.
 */
final class ObjectRemover {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectRemover.class);

  private static final int ATTEMPTS = 3;

  private static final Duration PAUSE = Duration.ofSeconds(30);

  private final MediaStore store;
  private final Clock clock;
  private final Retry retry;

  /** When a store that did not answer is asked again. */
  private volatile Instant askedAgain = Instant.MIN;

  ObjectRemover(MediaStore store, Clock clock, Retry retry) {
    this.store = store;
    this.clock = clock;
    this.retry = retry.ofAttempts(ATTEMPTS);
  }

  /** Removes all objects of a file, and returns whether none is left. */
  boolean isRemoved(String mediaId) {
    if (clock.instant().isBefore(askedAgain)) {
      LOG.warn("Objects of {} remain: the store of media did not answer a moment ago", mediaId);
      return false;
    }
    return retry.until("Removal of " + mediaId, attempt -> removed(mediaId, attempt == ATTEMPTS));
  }

  /** Any failure of the store counts, also one to retry: that would hold up the lane. */
  private Optional<Boolean> removed(String mediaId, boolean isLast) {
    try {
      store.removeAll(mediaId);
      return Optional.of(true);
    } catch (IOException | RuntimeException e) {
      boolean isAway = e instanceof MediaStore.UnavailableException;
      if (isAway) {
        askedAgain = clock.instant().plus(PAUSE);
      }
      if (!isLast && !isAway) {
        return Optional.empty();
      }
      LOG.warn("Objects of {} remain, and are removed later", mediaId, e);
      return Optional.of(false);
    }
  }
}
