package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;
import static social.feed.ctl.Fault.text;

import java.util.List;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Comment;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;

/** Faults of posts and tag rows, and rows of posts that do not exist. */
final class PostFaults {
  private PostFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "post that is missing from the index of its author",
            Index.POSTS_BY_AUTHOR.partitionKey() + " is absent",
            w ->
                w.remove(
                    w.postOf("2").key(),
                    Index.POSTS_BY_AUTHOR.partitionKey(),
                    Index.POSTS_BY_AUTHOR.sortKey())),
        new Fault(
            "lost tag row",
            "is absent or differs from its post",
            w -> w.steal(tag(w.postOf("1")).key())),
        new Fault(
            "tag row with another visibility that is still under its tag",
            Index.POSTS_BY_TAG.partitionKey() + " is",
            w -> w.set(tag(w.postOf("1")).key(), "visibility", text("private"))),
        new Fault(
            "tag row with another visibility that is under no tag",
            "is absent or differs from its post",
            w -> {
              var key = tag(w.postOf("1")).key();
              w.set(key, "visibility", text("private"));
              w.remove(key, Index.POSTS_BY_TAG.partitionKey(), Index.POSTS_BY_TAG.sortKey());
            }),
        new Fault(
            "surplus tag row",
            "is a tag that its post does not have",
            w -> w.plant(PostTag.of(w.postOf("1"), "surplus"))),
        new Fault(
            "like of no post",
            "needs " + Post.key(GHOST),
            w -> w.plant(new Like(GHOST, "1", "3", AT))),
        new Fault(
            "comment on no post", "needs " + Post.key(GHOST), w -> w.plant(comment(GHOST, "1"))),
        new Fault(
            "tag of no post",
            "needs " + Post.key(GHOST),
            w -> {
              var some = w.postOf("1");
              w.plant(new PostTag(GHOST, "tag", "1", AT, some.visibility(), some.feedShards()));
            }));
  }

  static PostTag tag(Post post) {
    return PostTag.of(post, post.tags().getFirst());
  }

  static Comment comment(String postId, String author) {
    return new Comment(postId, TimeOrderedId.named(AT, postId, author), author, "3", "Hm", AT);
  }
}
