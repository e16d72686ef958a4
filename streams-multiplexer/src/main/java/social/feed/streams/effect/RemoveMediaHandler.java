package social.feed.streams.effect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import social.feed.table.kernel.store.Retry;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;

/**
 * Removes the objects of a deleted or expired file and releases its quota. An upload that is under
 * way writes first and then reads the row again, so it removes what this handler cannot see. A
 * store that keeps failing, in some attempts with pauses, makes a dead letter and does not hold up
 * other records for long. After one that did not answer, the removals of the next half minute are
 * dead letters at once, since each attempt would wait for it. Four write units.
 */
public final class RemoveMediaHandler implements EffectHandler<RemoveMediaHandler.RemoveMedia> {
  /** The row of a file is gone. */
  public record RemoveMedia(Media media) implements Effect {}

  private static final int ATTEMPTS = 3;

  private static final Duration PAUSE = Duration.ofSeconds(30);

  private final MediaStore store;
  private final MediaFiles files;
  private final Clock clock;
  private final Retry retry;

  /** When a store that did not answer is asked again. */
  private volatile Instant askedAgain = Instant.MIN;

  public RemoveMediaHandler(EffectContext context) {
    this.store = context.media;
    this.files = context.files;
    this.clock = context.clock;
    this.retry = context.table.retry().ofAttempts(ATTEMPTS);
  }

  @Override
  public void apply(List<RemoveMedia> effects) {
    for (var effect : effects) {
      removeObjects(effect.media().mediaId());
      files.release(effect.media(), clock);
    }
  }

  private void removeObjects(String mediaId) {
    if (clock.instant().isBefore(askedAgain)) {
      throw new UncheckedIOException(
          new IOException("The store of media did not answer a moment ago"));
    }
    retry.until("Removal of " + mediaId, attempt -> isRemoved(mediaId, attempt == ATTEMPTS));
  }

  /** The failure of the last attempt is permanent: one to retry would hold up the lane. */
  private Optional<Boolean> isRemoved(String mediaId, boolean isLast) {
    try {
      store.removeAll(mediaId);
      return Optional.of(true);
    } catch (IOException e) {
      if (isLast) {
        if (e instanceof MediaStore.UnavailableException) {
          askedAgain = clock.instant().plus(PAUSE);
        }
        throw new UncheckedIOException(
            "The objects of a file cannot be removed: " + e.getMessage(), e);
      }
      return Optional.empty();
    }
  }
}
