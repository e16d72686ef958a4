package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import social.feed.table.post.PostTags;
import social.feed.table.row.Post;

/** Writes the tag rows of posts that still exist, for two write units each. */
public final class WriteTagsHandler implements EffectHandler<WriteTagsHandler.WriteTags> {
  /** Writes the rows by which a post is found under its tags. */
  public record WriteTags(Post post) implements Effect {}

  private final PostReconciler posts;
  private final PostTags tags;
  private final PostCleaner cleaner;

  public WriteTagsHandler(EffectContext context) {
    this.posts = context.postReconciler;
    this.tags = context.tags;
    this.cleaner = context.cleaner;
  }

  @Override
  public void apply(List<WriteTags> effects) {
    posts.reflect(
        effects.stream().map(WriteTags::post).toList(), this::write, cleaner::removeChildren);
  }

  private Collection<Post> write(Collection<Post> present) {
    tags.write(present);
    return present;
  }
}
