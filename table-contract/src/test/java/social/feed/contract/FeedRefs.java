package social.feed.contract;

import java.util.Comparator;
import java.util.List;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Post;

/** What a feed shows of posts. */
final class FeedRefs {
  private FeedRefs() {}

  static FeedRef of(Post post) {
    return new FeedRef(post.postId(), post.authorId(), post.createdAt());
  }

  /**
   * Returns references in the order of a feed, whose entries of one millisecond are ordered by
   * shard and id.
   */
  static List<FeedRef> inOrder(List<Post> posts, String readerId) {
    var order =
        Comparator.comparing(Post::createdAt)
            .thenComparing(p -> FeedEntry.shard(p.postId(), readerId, p.feedShards()))
            .thenComparing(Post::postId);
    return posts.stream().sorted(order.reversed()).map(FeedRefs::of).toList();
  }
}
