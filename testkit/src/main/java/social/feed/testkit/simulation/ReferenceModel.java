package social.feed.testkit.simulation;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Block;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Post;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Visibility;

/**
 * The reference model: the results of the users' actions, without any effects behind the stream.
 */
final class ReferenceModel {
  final Map<String, Post> posts = new LinkedHashMap<>();
  final Map<Key, Follow> edges = new LinkedHashMap<>();
  final Map<Key, RetainedPosts> retainedPosts = new LinkedHashMap<>();
  final Map<Key, Like> likes = new LinkedHashMap<>();
  final Map<Key, Comment> comments = new LinkedHashMap<>();

  /** The start of each special follow, by its edge. */
  final Map<Key, Instant> specials = new LinkedHashMap<>();

  /** The first start of each special follow that ever existed, by its edge. */
  private final Map<Key, Instant> everSpecial = new HashMap<>();

  /** The time from which an edge exists for certain; the edge's own time is that of the request. */
  private final Map<Key, Instant> edgeConfirmedAt = new HashMap<>();

  /** The time from which a special follow exists for certain. */
  private final Map<Key, Instant> specialConfirmedAt = new HashMap<>();

  /** Edges that ever existed. */
  final Set<Key> everFollowed = new HashSet<>();

  /** Edges that ended without retained posts. */
  final Set<Key> everEnded = new HashSet<>();

  /** Feed entries that must outlive an unfollow with retained posts, by edge. */
  final Map<Key, Set<Key>> guaranteedEntries = new HashMap<>();

  /** Blocks, in both directions, and mutes, each with the start of its current existence. */
  final Map<Key, Instant> blocksAndMutes = new HashMap<>();

  /** Pairs of accounts with a block or mute at any time. */
  private final Set<Set<String>> everBlockedOrMuted = new HashSet<>();

  /** The posts of each author that other users could ever see. */
  private final Map<String, TreeSet<String>> visiblePosts = new HashMap<>();

  /** Erased accounts. */
  private final Set<String> erased = new LinkedHashSet<>();

  /** Posts whose visibility ever changed. */
  private final Set<String> visibilityEverChanged = new HashSet<>();

  void posted(Post post) {
    posts.put(post.postId(), post);
    noteVisible(post);
  }

  private void noteVisible(Post post) {
    if (post.visibility() != Visibility.PRIVATE) {
      visiblePosts.computeIfAbsent(post.authorId(), _ -> new TreeSet<>()).add(post.postId());
    }
  }

  /**
   * Replaces a post. Its guaranteed entries end, since guarantees hold only while the visibility is
   * unchanged.
   */
  void visibilityChanged(Post post) {
    if (posts.replace(post.postId(), post) != null) {
      noteVisible(post);
      visibilityEverChanged.add(post.postId());
      guaranteedEntries.values().forEach(keys -> keys.removeIf(key -> isEntryOf(post, key)));
    }
  }

  static boolean isEntryOf(Post post, Key key) {
    var partition = FeedEntry.of(post.ref(), post.authorId()).key().partition();
    return key.partition().startsWith(partition.substring(0, partition.lastIndexOf('#') + 1));
  }

  void blocked(Block block, Instant since) {
    blockedOrMuted(block.key(), block.userId(), block.blockedId(), since);
    blocksAndMutes.putIfAbsent(block.mirrored().key(), since);
  }

  void blockedOrMuted(Key row, String one, String other, Instant since) {
    blocksAndMutes.putIfAbsent(row, since);
    everBlockedOrMuted.add(Set.of(one, other));
  }

  /** Returns whether an edge exists without interruption since before a time. */
  boolean followedBefore(Key edge, Instant at) {
    var confirmedAt = edgeConfirmedAt.get(edge);
    return edges.containsKey(edge) && confirmedAt != null && confirmedAt.isBefore(at);
  }

  /** Returns whether an edge is special without interruption since before a time. */
  boolean specialBefore(Key edge, Instant at) {
    var confirmedAt = specialConfirmedAt.get(edge);
    return specials.containsKey(edge) && confirmedAt != null && confirmedAt.isBefore(at);
  }

  /**
   * Returns whether a block or a mute suppresses a notification, because it exists since before the
   * notification's time.
   */
  boolean isSuppressed(String reader, String actor, Instant at) {
    return Stream.of(Block.key(reader, actor), Block.key(actor, reader), Mute.key(reader, actor))
        .map(blocksAndMutes::get)
        .anyMatch(since -> since != null && since.isBefore(at));
  }

  boolean wasBlockedOrMuted(String one, String other) {
    return everBlockedOrMuted.contains(Set.of(one, other));
  }

  void deleted(String postId) {
    posts.remove(postId);
    likes.values().removeIf(like -> like.postId().equals(postId));
    comments.values().removeIf(comment -> comment.postId().equals(postId));
  }

  void followed(Follow edge, Instant now) {
    if (edges.putIfAbsent(edge.key(), edge) == null) {
      edgeConfirmedAt.put(edge.key(), now);
      everFollowed.add(edge.key());
    }
  }

  void followedSpecially(Follow edge, Instant since, Instant now) {
    if (specials.putIfAbsent(edge.key(), since) == null) {
      specialConfirmedAt.put(edge.key(), now);
    }
    everSpecial.putIfAbsent(edge.key(), since);
  }

  /**
   * Returns whether a reader may have a notification of a post as a special follower of its author.
   */
  boolean mayHaveBeenNotified(String reader, Post post) {
    var since = everSpecial.get(Follow.key(reader, post.authorId()));
    return since != null && !post.createdAt().isBefore(since.minus(Timestamps.MAX_CLOCK_SKEW));
  }

  void edgeEnded(Follow edge) {
    specials.remove(edge.key());
    if (edges.remove(edge.key()) != null) {
      unansweredEdgeEnded(edge);
    }
  }

  /** Ends an edge whose follow request may have been applied without an answer. */
  void unansweredEdgeEnded(Follow edge) {
    retainedPosts.remove(RetainedPosts.key(edge.followerId(), edge.followeeId()));
    guaranteedEntries.remove(edge.key());
    everEnded.add(edge.key());
  }

  void edgeEndedKeepingPosts(Follow edge, Instant until, List<FeedEntry> storedEntries) {
    specials.remove(edge.key());
    if (edges.remove(edge.key()) != null) {
      var history = new RetainedPosts(edge.followerId(), edge.followeeId(), until, until);
      retainedPosts.put(history.key(), history);
      if (!everEnded.contains(edge.key())) {
        var keys = guaranteedEntries.computeIfAbsent(edge.key(), _ -> new HashSet<>());
        storedEntries.stream()
            .filter(entry -> !visibilityEverChanged.contains(entry.postId()))
            .forEach(entry -> keys.add(entry.key()));
      }
    }
  }

  Set<String> erased() {
    return Collections.unmodifiableSet(erased);
  }

  /**
   * Removes an account and all that refers to it. A second call removes additions by requests that
   * ran meanwhile.
   */
  void erase(String user) {
    erased.add(user);
    posts.values().stream()
        .filter(post -> post.authorId().equals(user))
        .map(Post::postId)
        .toList()
        .forEach(this::deleted);
    likes.values().removeIf(like -> like.userId().equals(user));
    comments.values().removeIf(comment -> comment.authorId().equals(user));
    edges.values().stream()
        .filter(edge -> names(edge.key(), user))
        .toList()
        .forEach(this::edgeEnded);
    specials.keySet().removeIf(edge -> names(edge, user));
    guaranteedEntries.keySet().removeIf(edge -> names(edge, user));
    retainedPosts.values().removeIf(it -> it.readerId().equals(user) || it.authorId().equals(user));
    blocksAndMutes.keySet().removeIf(pair -> names(pair, user));
    posts.replaceAll(
        (_, post) ->
            post.mentioning(
                post.mentions().stream().filter(m -> !m.userId().equals(user)).toList()));
  }

  /** Returns whether the key of a row between two accounts contains one of them. */
  private static boolean names(Key pair, String user) {
    return Stream.of(pair.partition(), pair.sort()).anyMatch(part -> part.endsWith("#" + user));
  }

  /**
   * Returns whether a post is among an author's newest posts, counted over all posts that others
   * could ever see.
   */
  boolean isAmongNewest(Post post, int newest) {
    var all = visiblePosts.getOrDefault(post.authorId(), new TreeSet<>());
    return !visibilityEverChanged.contains(post.postId())
        && all.tailSet(post.postId(), false).size() < newest;
  }
}
