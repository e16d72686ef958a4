package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaRemovals;
import social.feed.table.row.Media;

/**
 * Removes the objects of a deleted or expired file and releases its quota. An upload that is under
 * way writes first and then reads the row again, so it removes what this handler cannot see. Where
 * the store fails, a note stays and {@link RemoveMediaAgainHandler} goes on. Four write units, and
 * two for a note.
 */
public final class RemoveMediaHandler implements EffectHandler<RemoveMediaHandler.RemoveMedia> {
  /** The row of a file is gone. */
  public record RemoveMedia(Media media) implements Effect {}

  private final ObjectRemover remover;
  private final MediaRemovals removals;
  private final MediaFiles files;
  private final Clock clock;

  public RemoveMediaHandler(EffectContext context) {
    this.remover = context.remover;
    this.removals = context.removals;
    this.files = context.files;
    this.clock = context.clock;
  }

  @Override
  public void apply(List<RemoveMedia> effects) {
    for (var effect : effects) {
      var media = effect.media();
      if (!remover.isRemoved(media.mediaId())) {
        removals.note(media.mediaId(), media.ownerId(), Timestamps.now(clock));
      }
      files.release(media, clock);
    }
  }
}
