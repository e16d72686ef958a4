package social.feed.ctl.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records the acknowledged writes, which must hold in the end. */
final class Ledger {
  /** A post that exists. */
  static final class Post {
    final String id;
    final String author;

    /** When its request was sent, in the order of all actions. */
    final long begun;

    final Set<String> likers = new HashSet<>();
    final Set<String> comments = new HashSet<>();

    Post(String id, String author, long begun) {
      this.id = id;
      this.author = author;
      this.begun = begun;
    }
  }

  private static final Duration PATIENCE = Deliveries.GIVEN_UP.plusMinutes(1);

  private final Map<String, Post> posts = new HashMap<>();
  private final Set<String> deleted = new HashSet<>();

  /** The followees of each follower, and when the follow was acknowledged. */
  private final Map<String, Map<String, Long>> following = new HashMap<>();

  private long now;
  private long actions;

  /** Returns a time before all later actions. */
  synchronized long begin() {
    return ++now;
  }

  synchronized void posted(Post post) {
    posts.put(post.id, post);
    done();
  }

  synchronized void deleted(String postId) {
    posts.remove(postId);
    deleted.add(postId);
    done();
  }

  synchronized void followed(String follower, String followee) {
    following.computeIfAbsent(follower, _ -> new HashMap<>()).putIfAbsent(followee, ++now);
    done();
  }

  synchronized void unfollowed(String follower, String followee) {
    following.getOrDefault(follower, new HashMap<>()).remove(followee);
    done();
  }

  synchronized void liked(String postId, String user, boolean likes) {
    var post = posts.get(postId);
    if (post != null && likes) {
      post.likers.add(user);
    } else if (post != null) {
      post.likers.remove(user);
    }
    done();
  }

  synchronized void commented(String postId, String commentId) {
    var post = posts.get(postId);
    if (post != null) {
      post.comments.add(commentId);
    }
    done();
  }

  /** Counts an action. */
  synchronized void done() {
    actions++;
    notifyAll();
  }

  /**
   * Waits until so many actions were acknowledged since this call. Fails when none is for longer
   * than writers ever pause: then they have failed.
   */
  synchronized void await(long more) throws InterruptedException {
    long end = actions + more;
    while (actions < end) {
      long before = actions;
      wait(PATIENCE.toMillis());
      if (actions == before) {
        throw new AssertionError("No action was acknowledged for " + PATIENCE);
      }
    }
  }

  synchronized long actions() {
    return actions;
  }

  /** Returns a post that is selected by any number, or null if there is none. */
  synchronized @Nullable Post any(int choice) {
    var all = List.copyOf(posts.values());
    return all.isEmpty() ? null : all.get(Math.floorMod(choice, all.size()));
  }

  synchronized @Nullable Post anyOf(String author, int choice) {
    var own = of(author);
    return own.isEmpty() ? null : own.get(Math.floorMod(choice, own.size()));
  }

  synchronized List<Post> of(String author) {
    return posts.values().stream().filter(post -> post.author.equals(author)).toList();
  }

  synchronized List<Post> posts() {
    return new ArrayList<>(posts.values());
  }

  synchronized Set<String> deletedPosts() {
    return new HashSet<>(deleted);
  }

  synchronized Map<String, Long> followedBy(String user) {
    return new HashMap<>(following.getOrDefault(user, Map.of()));
  }

  synchronized long followersOf(String user) {
    return following.values().stream().filter(followed -> followed.containsKey(user)).count();
  }
}
