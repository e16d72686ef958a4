package social.feed.table.post;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.Visibility;

/** The posts of an author that the feed of a new follower must hold. */
public final class RecentPosts {
  /** Bounds the search where many private posts follow each other. */
  private static final int MAX_PRIVATE = 1_000;

  private final RecentDeliveries deliveries;
  private final int newest;

  /**
   * @param newest the least number of posts that a new follower gets
   */
  public RecentPosts(RecentDeliveries deliveries, int newest) {
    this.deliveries = deliveries;
    this.newest = newest;
  }

  /**
   * Returns how far back a feed is filled for a follow: to the oldest of the newest posts, or to
   * the follow itself where that was earlier.
   *
   * @param recent newest first, not empty
   */
  public Instant reach(List<PostRef> recent, Follow edge) {
    var oldest = recent.get(Math.min(newest, recent.size()) - 1).createdAt();
    return oldest.isBefore(edge.createdAt()) ? oldest : edge.createdAt();
  }

  /**
   * Returns an author's newest posts that others may see, newest first: the least number, and all
   * since a time. Half a read unit for each 4 KB of the author's list, one for what was delivered
   * lately, and one more for each of these posts that is returned. They are about to be delivered,
   * so those whose own delivery has not begun get a note, for one write unit each.
   */
  public List<PostRef> of(String authorId, Instant since) {
    return deliveries.begin(authorId, all -> among(all, newest, since));
  }

  /**
   * As {@link #of} since a post, which is among them also where it was deleted or hidden meanwhile.
   * So the result is not empty.
   */
  public List<PostRef> since(Post post) {
    var recent = of(post.authorId(), post.createdAt());
    if (recent.stream().anyMatch(ref -> ref.postId().equals(post.postId()))) {
      return recent;
    }
    return Stream.concat(recent.stream(), Stream.of(post.ref()))
        .sorted(Comparator.comparing(PostRef::createdAt).reversed())
        .toList();
  }

  /**
   * As {@link #of}, among given posts.
   *
   * @param all newest first; read only as far as needed
   */
  public static List<PostRef> among(Stream<PostRef> all, int newest, Instant since) {
    var recent = new ArrayList<PostRef>();
    int hidden = 0;
    for (var refs = all.iterator(); refs.hasNext(); ) {
      var ref = refs.next();
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
    return recent;
  }
}
