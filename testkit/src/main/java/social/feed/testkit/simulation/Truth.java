package social.feed.testkit.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.KeptHistory;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/** The plain model: what people have done, without anything that follows from it. */
final class Truth {
  final Map<String, Post> posts = new LinkedHashMap<>();
  final Map<Key, Follow> edges = new LinkedHashMap<>();
  final Map<Key, KeptHistory> kept = new LinkedHashMap<>();
  final Map<Key, Like> likes = new LinkedHashMap<>();
  final Map<Key, Comment> comments = new LinkedHashMap<>();

  /** Edges that there were at any time. */
  final Set<Key> everFollowed = new HashSet<>();

  /** Edges that were ended without keeping anything. */
  final Set<Key> everLeft = new HashSet<>();

  /** Entries that a reader was promised to keep. */
  final Map<Key, Set<Key>> promised = new HashMap<>();

  private final Map<String, List<Post>> seenByOthers = new HashMap<>();

  void posted(Post post) {
    posts.put(post.postId(), post);
    if (post.visibility() != Visibility.PRIVATE) {
      seenByOthers.computeIfAbsent(post.authorId(), _ -> new ArrayList<>()).add(post);
    }
  }

  void deleted(String postId) {
    posts.remove(postId);
    likes.values().removeIf(like -> like.postId().equals(postId));
    comments.values().removeIf(comment -> comment.postId().equals(postId));
  }

  void followed(Follow edge) {
    if (edges.putIfAbsent(edge.key(), edge) == null) {
      everFollowed.add(edge.key());
    }
  }

  void left(Follow edge) {
    if (edges.remove(edge.key()) != null) {
      kept.remove(KeptHistory.key(edge.followerId(), edge.followeeId()));
      promised.remove(edge.key());
      everLeft.add(edge.key());
    }
  }

  void leftKeeping(Follow edge, Instant until, List<FeedEntry> there) {
    if (edges.remove(edge.key()) != null) {
      var history = new KeptHistory(edge.followerId(), edge.followeeId(), until, until);
      kept.put(history.key(), history);
      if (!everLeft.contains(edge.key())) {
        var keys = promised.computeIfAbsent(edge.key(), _ -> new HashSet<>());
        there.forEach(entry -> keys.add(entry.key()));
      }
    }
  }

  /** Of all that an author ever wrote for others, whether a post is among so many newest. */
  boolean isAmongNewest(Post post, int newest) {
    var all = seenByOthers.getOrDefault(post.authorId(), List.of());
    return all.indexOf(post) >= all.size() - newest;
  }
}
