package social.feed.streams.effect;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.graph.Audience;
import social.feed.table.graph.AudienceMember;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.RecentPosts;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Writes posts into followers' feeds, and removes entries that a concurrent unfollow made wrong.
 */
final class FeedDelivery {
  /** The number of entries that are written together; bounds the memory. */
  private static final int AT_ONCE = 2_000;

  private final FollowEdges follows;
  private final RetainedPostsStore retainedPosts;
  private final RecentPosts recentPosts;
  private final HomeFeeds feeds;
  private final FeedReconciler reconciler;
  private final FeedActivities activities;
  private final Clock clock;

  FeedDelivery(
      FollowEdges follows,
      RetainedPostsStore retainedPosts,
      RecentPosts recentPosts,
      HomeFeeds feeds,
      FeedReconciler reconciler,
      FeedActivities activities,
      Clock clock) {
    this.follows = follows;
    this.retainedPosts = retainedPosts;
    this.recentPosts = recentPosts;
    this.feeds = feeds;
    this.reconciler = reconciler;
    this.activities = activities;
    this.clock = clock;
  }

  /**
   * A part of a post's audience.
   *
   * @param followers in the order of their ids
   * @param checked whose entries are checked after the writes
   */
  record Slice(Post post, List<AudienceMember> followers, Checked checked) {

    /**
     * Without later followers. They got their posts by the backfill; a replay must add no others.
     */
    Slice eligible() {
      return only(this::isEligible);
    }

    /** Without followers whose feeds are left out since before the post. */
    Slice without(Map<AudienceMember, Instant> leftOut) {
      return only(
          follower -> post.createdAt().isBefore(leftOut.getOrDefault(follower, Instant.MAX)));
    }

    private Slice only(Predicate<AudienceMember> chosen) {
      return new Slice(post, followers.stream().filter(chosen).toList(), checked);
    }

    private boolean isEligible(AudienceMember follower) {
      return FeedDelivery.isEligible(post.createdAt(), follower.since());
    }

    /** The edges since the post on which no backfill is noted yet. */
    List<Follow> followersSincePost() {
      return followers.stream()
          .filter(follower -> follower.since() == null)
          .flatMap(follower -> edge(follower).stream())
          .filter(edge -> post.createdAt().isBefore(edge.createdAt()))
          .toList();
    }

    private Optional<Follow> edge(AudienceMember follower) {
      return Optional.ofNullable(follower.followedAt())
          .map(at -> Follow.of(follower.followerId(), post.authorId(), at));
    }

    Stream<FeedEntry> entries() {
      return followers.stream().map(f -> FeedEntry.of(post.ref(), f.followerId()));
    }
  }

  /**
   * Whether a follower must get a post.
   *
   * @param since the oldest time of such posts; null until the backfill has noted that
   */
  static boolean isEligible(Instant postedAt, @Nullable Instant since) {
    return since == null || !postedAt.isBefore(since.minus(Timestamps.MAX_CLOCK_SKEW));
  }

  /**
   * The entries of a post that are checked after the writes. An earlier attempt may have been cut
   * off before its check, and a reader who has unfollowed since is no longer in the audience. Then
   * the entries of all readers are checked.
   */
  sealed interface Checked {
    /** For a first attempt: the entries that it wrote. */
    record Written() implements Checked {}

    /** The entries of all readers. */
    record All() implements Checked {}

    /** The entries of readers whose ids lie between two, both included. */
    record Between(String first, String last) implements Checked {}
  }

  /**
   * The result of a slice of a post's audience.
   *
   * @param written entries
   * @param skipped followers who follow since a later time, have not read for long, or no longer
   *     follow
   */
  record Delivered(Post post, long written, long skipped) {}

  /**
   * Delivers slices, each of up to some hundred followers. Two write units an entry, and one read
   * unit for each 4 KB of follow edges and of entries that are checked, and for each long-standing
   * follower. One more write unit for a follow between the post and its delivery. No units for a
   * follower who has not read for long.
   *
   * @param slices are read as they are written
   * @return the result of each slice, in their order
   */
  List<Delivered> deliver(Stream<Slice> slices) {
    var delivered = new ArrayList<Delivered>();
    var pending = new ArrayList<Slice>();
    int size = 0;
    for (var each = slices.iterator(); each.hasNext(); ) {
      var slice = each.next();
      pending.add(slice);
      size += slice.followers.size();
      if (size >= AT_ONCE) {
        delivered.addAll(write(pending));
        pending.clear();
        size = 0;
      }
    }
    delivered.addAll(write(pending));
    return delivered;
  }

  private List<Delivered> write(List<Slice> slices) {
    var delivered = new ArrayList<Delivered>();
    var eligible = active(slices.stream().map(Slice::eligible).toList());
    eligible.forEach(this::noteBackfilled);
    feeds.deliver(eligible.stream().flatMap(Slice::entries).toList());
    for (int i = 0; i < slices.size(); i++) {
      var slice = slices.get(i);
      var former = formerFollowers(eligible.get(i));
      reconciler.withdraw(former.stream().map(id -> FeedEntry.of(slice.post.ref(), id)).toList());
      long written =
          eligible.get(i).followers.stream().filter(f -> !former.contains(f.followerId())).count();
      delivered.add(new Delivered(slice.post, written, slice.followers.size() - written));
    }
    return delivered;
  }

  /**
   * Notes on edges how far back the feed reaches. A follow may come between a post and its
   * delivery, and its backfill may have found no posts, also because the index did not show this
   * one yet. Then no note says that the feed reaches back to the post, and a page requires the note
   * to read older posts from the author.
   */
  private void noteBackfilled(Slice slice) {
    var late = slice.followersSincePost();
    if (!late.isEmpty()) {
      var recent = recentPosts.since(slice.post);
      late.forEach(edge -> follows.noteBackfilled(edge, recentPosts.reach(recent, edge)));
    }
  }

  /** Without followers who have not read for long. Their next read brings the feed up to date. */
  private List<Slice> active(List<Slice> slices) {
    var followers = slices.stream().flatMap(slice -> slice.followers.stream()).toList();
    var leftOut = activities.leftOut(followers, clock.instant());
    return leftOut.isEmpty()
        ? slices
        : slices.stream().map(slice -> slice.without(leftOut)).toList();
  }

  /** Readers who have an entry and no longer follow, unless they keep the past. */
  private Set<String> formerFollowers(Slice slice) {
    var post = slice.post;
    if (post.visibility() == Visibility.PRIVATE) {
      return Set.of();
    }
    var former = new TreeSet<>(holders(slice));
    former.remove(post.authorId());
    if (former.isEmpty()) {
      return former;
    }
    follows
        .ids(Audience.FOLLOWERS, post.authorId(), former.first(), former.last())
        .forEach(former::remove);
    if (!former.isEmpty()) {
      former.removeAll(retainedPosts.keepers(former, post.authorId(), post.createdAt()));
    }
    return former;
  }

  private Set<String> holders(Slice slice) {
    var post = slice.post;
    return switch (slice.checked) {
      case Checked.Written _ ->
          slice.followers.stream().map(AudienceMember::followerId).collect(Collectors.toSet());
      case Checked.All _ -> feeds.holders(post.postId(), post.feedShards());
      case Checked.Between(var first, var last) ->
          feeds.holders(post.postId(), post.feedShards(), first, last);
    };
  }
}
