package social.feed.simulation;

import java.util.List;
import java.util.stream.Stream;
import social.feed.table.graph.Audience;
import social.feed.table.graph.AudienceMember;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.PostCleanUps;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/** A fan-out that checks the post after its writes, and not the readers. */
final class UncheckedFanOut {
  private final Posts posts;
  private final Table table;
  private final FollowEdges follows;
  private final HomeFeeds feeds;
  private final PullRegistry registry;

  UncheckedFanOut(Table table) {
    this.table = table;
    this.posts = new Posts(table);
    this.follows = new FollowEdges(table);
    this.feeds = new HomeFeeds(table);
    this.registry = new PullRegistry(table);
  }

  void deliver(Post post) {
    if (posts.get(post.postId()).isEmpty()) {
      return;
    }
    var readers =
        post.visibility() == Visibility.PRIVATE || post.delivery() == FanOutMode.PULL
            ? List.<AudienceMember>of()
            : follows.reachAfter(Audience.FOLLOWERS, post.authorId(), null, 1_000);
    feeds.deliver(
        Stream.concat(Stream.of(post.authorId()), readers.stream().map(AudienceMember::followerId))
            .map(reader -> FeedEntry.of(post.ref(), reader))
            .toList());
    if (post.delivery() == FanOutMode.PULL) {
      registry.change(post.authorId(), post.createdAt(), row -> row.covering(post.createdAt()));
    }
    if (posts.get(post.postId()).isEmpty()) {
      new PostCleanUps(table).removeFromFeeds(post.postId(), post.feedShards(), 1_000);
    }
  }
}
