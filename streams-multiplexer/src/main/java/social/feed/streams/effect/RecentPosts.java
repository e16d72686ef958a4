package social.feed.streams.effect;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.page.PageRequest;
import social.feed.table.post.Posts;
import social.feed.table.row.PostRef;
import social.feed.table.row.Visibility;

/** What of an author's posts a new follower is owed. */
final class RecentPosts {
  /** Where private posts follow each other without end, older ones than these are not found. */
  private static final int MAX_PRIVATE = 1_000;

  private RecentPosts() {}

  /**
   * An author's newest posts that others may see, newest first: so many, and all since a time. Half
   * a read unit for each 4 KB of the author's list.
   */
  static List<PostRef> of(Posts posts, String authorId, int newest, Instant since) {
    var recent = new ArrayList<PostRef>();
    int hidden = 0;
    @Nullable String position = null;
    do {
      var page =
          posts.ofAuthor(authorId, new PageRequest(AccessPattern.FEED_002.maxPage(), position));
      for (var ref : page.items()) {
        boolean enough = recent.size() >= newest || hidden >= MAX_PRIVATE;
        if (enough && ref.createdAt().isBefore(since)) {
          return recent;
        }
        if (ref.visibility() == Visibility.PRIVATE) {
          hidden++;
        } else {
          recent.add(ref);
        }
      }
      position = page.next();
    } while (position != null);
    return recent;
  }
}
