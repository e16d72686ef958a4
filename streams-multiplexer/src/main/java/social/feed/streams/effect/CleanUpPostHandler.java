package social.feed.streams.effect;

import java.util.List;
import social.feed.table.media.MediaFiles;
import social.feed.table.row.Post;

/**
 * Removes what refers to a deleted post: feed entries, its fan-out plan, tag rows, likes, comments,
 * the notifications of its author's special followers, and its files. Two write units for each
 * file. Removes at most some hundred rows; the rest is left to {@link ContinueCleanUpHandler}.
 */
public final class CleanUpPostHandler implements EffectHandler<CleanUpPostHandler.CleanUpPost> {
  /** Removes a post from every feed, and all rows under it. */
  public record CleanUpPost(Post post) implements Effect {}

  private final PostCleaner cleaner;
  private final MediaFiles files;

  public CleanUpPostHandler(EffectContext context) {
    this.cleaner = context.cleaner;
    this.files = context.files;
  }

  @Override
  public void apply(List<CleanUpPost> effects) {
    for (var effect : effects) {
      cleaner.removeAll(effect.post());
      files.deleteOf(effect.post());
    }
  }
}
