package social.feed.ctl.verify;

import java.util.List;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedEntry;

/**
 * Puts entries into feeds and takes them out. Like the multiplexer it looks at post and edge again
 * after it wrote, strongly consistent: an unfollow or a delete that came before is seen here, and
 * one that comes later finds the entry.
 */
record FeedRepair(HomeFeeds feeds, Posts posts, TableScanner census) {
  boolean deliver(FeedEntry entry) {
    feeds.deliver(List.of(entry));
    if (FeedSoundCheck.isSound(entry, census)) {
      return true;
    }
    feeds.withdraw(List.of(entry));
    return false;
  }

  /**
   * What the reader may have after all, since there is an edge by now, comes back as it should be.
   */
  boolean withdraw(FeedEntry entry) {
    feeds.withdraw(List.of(entry));
    posts
        .get(entry.postId())
        .map(post -> FeedEntry.of(post.ref(), entry.readerId()))
        .filter(right -> FeedSoundCheck.isSound(right, census))
        .ifPresent(this::deliver);
    return true;
  }
}
