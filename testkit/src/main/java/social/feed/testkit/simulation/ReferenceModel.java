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

/** The plain model: what people have done, without anything that follows from it. */
final class ReferenceModel {
  final Map<String, Post> posts = new LinkedHashMap<>();
  final Map<Key, Follow> edges = new LinkedHashMap<>();
  final Map<Key, RetainedPosts> kept = new LinkedHashMap<>();
  final Map<Key, Like> likes = new LinkedHashMap<>();
  final Map<Key, Comment> comments = new LinkedHashMap<>();

  /** Of each edge that is special, since when. */
  final Map<Key, Instant> specials = new LinkedHashMap<>();

  /** Of each edge that was special at any time, since when at first. */
  private final Map<Key, Instant> everSpecial = new HashMap<>();

  /** From when on an edge is there for sure: its own time is that of the request. */
  private final Map<Key, Instant> edgeThere = new HashMap<>();

  /** From when on a mark is there for sure. */
  private final Map<Key, Instant> specialThere = new HashMap<>();

  /** Edges that there were at any time. */
  final Set<Key> everFollowed = new HashSet<>();

  /** Edges that were ended without keeping anything. */
  final Set<Key> everLeft = new HashSet<>();

  /** Entries that a reader was promised to keep. */
  final Map<Key, Set<Key>> promised = new HashMap<>();

  /** Blocks, from both sides, and mutes, and since when each is there without a break. */
  final Map<Key, Instant> barriers = new HashMap<>();

  /** Pairs of accounts between which there was a block or a mute at any time. */
  private final Set<Set<String>> everBarred = new HashSet<>();

  /** Of each author all posts that others could ever see. */
  private final Map<String, TreeSet<String>> seenByOthers = new HashMap<>();

  /** Who is gone. */
  private final Set<String> erased = new LinkedHashSet<>();

  /** Posts whose readers were changed at any time. */
  private final Set<String> everChanged = new HashSet<>();

  void posted(Post post) {
    posts.put(post.postId(), post);
    noteSeen(post);
  }

  private void noteSeen(Post post) {
    if (post.visibility() != Visibility.PRIVATE) {
      seenByOthers.computeIfAbsent(post.authorId(), _ -> new TreeSet<>()).add(post.postId());
    }
  }

  /** What was promised of a post lasts while its readers are not changed. */
  void changed(Post post) {
    if (posts.replace(post.postId(), post) != null) {
      noteSeen(post);
      everChanged.add(post.postId());
      promised.values().forEach(keys -> keys.removeIf(key -> isEntryOf(post, key)));
    }
  }

  static boolean isEntryOf(Post post, Key key) {
    var partition = FeedEntry.of(post.ref(), post.authorId()).key().partition();
    return key.partition().startsWith(partition.substring(0, partition.lastIndexOf('#') + 1));
  }

  void blocked(Block block, Instant since) {
    barred(block.key(), block.userId(), block.blockedId(), since);
    barriers.putIfAbsent(block.mirrored().key(), since);
  }

  void barred(Key row, String one, String other, Instant since) {
    barriers.putIfAbsent(row, since);
    everBarred.add(Set.of(one, other));
  }

  /** Whether an edge has been there since before a time. */
  boolean followedBefore(Key edge, Instant at) {
    var there = edgeThere.get(edge);
    return edges.containsKey(edge) && there != null && there.isBefore(at);
  }

  /** Whether an edge has been special since before a time. */
  boolean specialBefore(Key edge, Instant at) {
    var there = specialThere.get(edge);
    return specials.containsKey(edge) && there != null && there.isBefore(at);
  }

  /** Whether somebody has not wanted to hear of another since before a time. */
  boolean isDeaf(String reader, String actor, Instant at) {
    return Stream.of(Block.key(reader, actor), Block.key(actor, reader), Mute.key(reader, actor))
        .map(barriers::get)
        .anyMatch(since -> since != null && since.isBefore(at));
  }

  boolean wasBarred(String one, String other) {
    return everBarred.contains(Set.of(one, other));
  }

  void deleted(String postId) {
    posts.remove(postId);
    likes.values().removeIf(like -> like.postId().equals(postId));
    comments.values().removeIf(comment -> comment.postId().equals(postId));
  }

  void followed(Follow edge, Instant now) {
    if (edges.putIfAbsent(edge.key(), edge) == null) {
      edgeThere.put(edge.key(), now);
      everFollowed.add(edge.key());
    }
  }

  void marked(Follow edge, Instant since, Instant now) {
    if (specials.putIfAbsent(edge.key(), since) == null) {
      specialThere.put(edge.key(), now);
    }
    everSpecial.putIfAbsent(edge.key(), since);
  }

  /** Whether somebody can have been told of a post as a special follower of its author. */
  boolean mayHaveBeenTold(String reader, Post post) {
    var since = everSpecial.get(Follow.key(reader, post.authorId()));
    return since != null && !post.createdAt().isBefore(since.minus(Timestamps.CLOCKS_DIFFER));
  }

  void left(Follow edge) {
    specials.remove(edge.key());
    if (edges.remove(edge.key()) != null) {
      leftUnanswered(edge);
    }
  }

  /** The end of an edge of which nobody has been told yet that it was there. */
  void leftUnanswered(Follow edge) {
    kept.remove(RetainedPosts.key(edge.followerId(), edge.followeeId()));
    promised.remove(edge.key());
    everLeft.add(edge.key());
  }

  void leftKeeping(Follow edge, Instant until, List<FeedEntry> there) {
    specials.remove(edge.key());
    if (edges.remove(edge.key()) != null) {
      var history = new RetainedPosts(edge.followerId(), edge.followeeId(), until, until);
      kept.put(history.key(), history);
      if (!everLeft.contains(edge.key())) {
        var keys = promised.computeIfAbsent(edge.key(), _ -> new HashSet<>());
        there.stream()
            .filter(entry -> !everChanged.contains(entry.postId()))
            .forEach(entry -> keys.add(entry.key()));
      }
    }
  }

  Set<String> erased() {
    return Collections.unmodifiableSet(erased);
  }

  /**
   * Somebody is gone, with all that names them. Once more removes what requests that were under way
   * have added since.
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
    edges.values().stream().filter(edge -> names(edge.key(), user)).toList().forEach(this::left);
    specials.keySet().removeIf(edge -> names(edge, user));
    promised.keySet().removeIf(edge -> names(edge, user));
    kept.values().removeIf(it -> it.readerId().equals(user) || it.authorId().equals(user));
    barriers.keySet().removeIf(barrier -> names(barrier, user));
    posts.replaceAll(
        (_, post) ->
            post.mentioning(
                post.mentions().stream().filter(m -> !m.userId().equals(user)).toList()));
  }

  /** Whether the key of what is between two accounts names one. */
  private static boolean names(Key pair, String user) {
    return Stream.of(pair.partition(), pair.sort()).anyMatch(part -> part.endsWith("#" + user));
  }

  /** Of all that an author ever wrote for others, whether a post is among so many newest. */
  boolean isAmongNewest(Post post, int newest) {
    var all = seenByOthers.getOrDefault(post.authorId(), new TreeSet<>());
    return !everChanged.contains(post.postId())
        && all.tailSet(post.postId(), false).size() < newest;
  }
}
