package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.WriteTags;
import social.feed.table.post.PostTags;
import social.feed.table.post.Posts;

/** Writes tag rows, two write units each, of posts that still exist. */
final class WriteTagsHandler implements EffectHandler<WriteTags> {
  private final Posts posts;
  private final PostTags tags;

  WriteTagsHandler(Posts posts, PostTags tags) {
    this.posts = posts;
    this.tags = tags;
  }

  @Override
  public void apply(List<WriteTags> effects) {
    var there = posts.getAll(effects.stream().map(effect -> effect.post().postId()).toList(), true);
    tags.write(there.values());
  }
}
