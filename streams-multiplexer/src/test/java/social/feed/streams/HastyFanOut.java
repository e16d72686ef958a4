package social.feed.streams;

import java.util.List;
import java.util.stream.Stream;
import social.feed.table.graph.Follower;
import social.feed.table.graph.Follows;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.post.Posts;
import social.feed.table.row.Delivery;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.table.store.Table;

/** A fan-out that looks again for the post, and not for its readers. */
final class HastyFanOut {
  private final Posts posts;
  private final Follows follows;
  private final HomeFeeds feeds;
  private final PullRegistry registry;

  HastyFanOut(Table table) {
    this.posts = new Posts(table);
    this.follows = new Follows(table);
    this.feeds = new HomeFeeds(table);
    this.registry = new PullRegistry(table);
  }

  void deliver(Post post) {
    if (posts.get(post.postId()).isEmpty()) {
      return;
    }
    var readers =
        post.visibility() == Visibility.PRIVATE || post.delivery() == Delivery.PULL
            ? List.<Follower>of()
            : follows.reach(post.authorId()).flatMap(List::stream).toList();
    feeds.deliver(
        Stream.concat(Stream.of(post.authorId()), readers.stream().map(Follower::followerId))
            .map(reader -> FeedEntry.of(post.ref(), reader))
            .toList());
    if (post.delivery() == Delivery.PULL) {
      registry.change(post.authorId(), post.createdAt(), row -> row.covering(post.createdAt()));
    }
    if (posts.get(post.postId()).isEmpty()) {
      feeds.withdrawPost(post.postId(), post.feedShards());
    }
  }
}
