package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.WriteTags;
import social.feed.table.engagement.PostChildren;
import social.feed.table.post.PostTags;

/** Writes tag rows, two write units each, of posts that still exist. */
final class WriteTagsHandler implements EffectHandler<WriteTags> {
  private final PostReconciler posts;
  private final PostTags tags;
  private final PostChildren children;

  WriteTagsHandler(PostReconciler posts, PostTags tags, PostChildren children) {
    this.posts = posts;
    this.tags = tags;
    this.children = children;
  }

  @Override
  public void apply(List<WriteTags> effects) {
    posts.reflect(
        effects.stream().map(WriteTags::post).toList(),
        tags::write,
        gone -> children.deleteAll(gone.postId()));
  }
}
