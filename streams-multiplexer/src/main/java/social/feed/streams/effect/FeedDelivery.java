package social.feed.streams.effect;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

/** Writes posts into followers' feeds and takes back what an unfollow beside it made wrong. */
final class FeedDelivery {
  /** Entries that are written together; bounds the memory. */
  private static final int AT_ONCE = 2_000;

  private final FollowEdges follows;
  private final RetainedPostsStore kept;
  private final RecentPosts recentPosts;
  private final HomeFeeds feeds;
  private final FeedReconciler secondLook;
  private final FeedActivities activities;
  private final Clock clock;

  FeedDelivery(
      FollowEdges follows,
      RetainedPostsStore kept,
      RecentPosts recentPosts,
      HomeFeeds feeds,
      FeedReconciler secondLook,
      FeedActivities activities,
      Clock clock) {
    this.follows = follows;
    this.kept = kept;
    this.recentPosts = recentPosts;
    this.feeds = feeds;
    this.secondLook = secondLook;
    this.activities = activities;
    this.clock = clock;
  }

  /**
   * A part of a post's audience.
   *
   * @param followers in the order of their ids
   * @param look whose entries are looked at after writing
   */
  record Slice(Post post, List<AudienceMember> followers, Look look) {

    /** Whoever followed later got what is owed by the backfill; a replay must not add to it. */
    Slice owed() {
      return only(this::isOwed);
    }

    /** Without those who are left out since before the post. */
    Slice without(Map<AudienceMember, Instant> leftOut) {
      return only(
          follower -> post.createdAt().isBefore(leftOut.getOrDefault(follower, Instant.MAX)));
    }

    private Slice only(Predicate<AudienceMember> chosen) {
      return new Slice(post, followers.stream().filter(chosen).toList(), look);
    }

    private boolean isOwed(AudienceMember follower) {
      return FeedDelivery.isOwed(post.createdAt(), follower.feedSince());
    }

    /** Those on whose edges nothing is noted yet. */
    List<Follow> followersSincePost() {
      return followers.stream()
          .filter(follower -> follower.feedSince() == null)
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
   * Whether a follower is owed a post.
   *
   * @param feedSince how far back the feed is filled; while that is not noted the backfill is to
   *     come
   */
  static boolean isOwed(Instant postedAt, @Nullable Instant feedSince) {
    return feedSince == null || !postedAt.isBefore(feedSince.minus(Timestamps.CLOCKS_DIFFER));
  }

  /**
   * Whose entries are looked at. An earlier attempt may have been cut off before it looked, and
   * whoever unfollowed since is not in the audience any more: then it is everybody who has one.
   */
  sealed interface Look {
    /** For a first attempt: those to whom it wrote. */
    record AtWritten() implements Look {}

    /** Everybody's. */
    record AtAll() implements Look {}

    /** Those of readers whose ids lie between two, both included. */
    record Between(String first, String last) implements Look {}
  }

  /**
   * What came of a slice.
   *
   * @param written entries
   * @param skipped followers who are owed nothing, have not read for long, or no longer follow
   */
  record Delivered(Slice slice, long written, long skipped) {}

  /**
   * Delivers slices, each of up to some hundred followers. Two write units an entry, and one read
   * unit for each 4 KB of follow edges and of entries that are looked at, and for each follower
   * since long. One write unit more for whoever followed after the post and before its delivery.
   * None of them for who has not read for long.
   *
   * @param done is told of each slice when its entries are there
   */
  void deliver(Stream<Slice> slices, Consumer<Delivered> done) {
    var pending = new ArrayList<Slice>();
    var size = new int[1];
    slices.forEach(
        slice -> {
          pending.add(slice);
          size[0] += slice.followers.size();
          if (size[0] >= AT_ONCE) {
            write(pending, done);
            pending.clear();
            size[0] = 0;
          }
        });
    write(pending, done);
  }

  private void write(List<Slice> slices, Consumer<Delivered> done) {
    var owed = awake(slices.stream().map(Slice::owed).toList());
    owed.forEach(this::noteFed);
    feeds.deliver(owed.stream().flatMap(Slice::entries).toList());
    for (int i = 0; i < slices.size(); i++) {
      var slice = slices.get(i);
      var unowed = unowed(owed.get(i));
      secondLook.withdraw(unowed.stream().map(id -> FeedEntry.of(slice.post.ref(), id)).toList());
      long written =
          owed.get(i).followers.stream().filter(f -> !unowed.contains(f.followerId())).count();
      done.accept(new Delivered(slice, written, slice.followers.size() - written));
    }
  }

  /**
   * A follow may come between a post and its delivery, and its backfill have found an author
   * without posts. Then nothing says that the feed reaches back to the post, which a page has to
   * know that reads from the author what is too old to be stored.
   */
  private void noteFed(Slice slice) {
    var late = slice.followersSincePost();
    if (!late.isEmpty()) {
      var author = slice.post.authorId();
      var recent = recentPosts.of(author, slice.post.createdAt());
      if (!recent.isEmpty()) {
        late.forEach(edge -> follows.noteFed(edge, recentPosts.reach(recent, edge)));
      }
    }
  }

  /** Those who have not read for long are brought up to date when they do. */
  private List<Slice> awake(List<Slice> slices) {
    var followers = slices.stream().flatMap(slice -> slice.followers.stream()).toList();
    var leftOut = activities.leftOut(followers, clock.instant());
    return leftOut.isEmpty()
        ? slices
        : slices.stream().map(slice -> slice.without(leftOut)).toList();
  }

  /** Readers who have an entry and no longer follow, unless they keep what they had. */
  private Set<String> unowed(Slice slice) {
    var post = slice.post;
    if (post.visibility() == Visibility.PRIVATE) {
      return Set.of();
    }
    var gone = new TreeSet<>(holders(slice));
    gone.remove(post.authorId());
    if (gone.isEmpty()) {
      return gone;
    }
    follows.reach(post.authorId(), gone.first(), gone.last()).stream()
        .map(AudienceMember::followerId)
        .forEach(gone::remove);
    if (!gone.isEmpty()) {
      gone.removeAll(kept.keepers(gone, post.authorId(), post.createdAt()));
    }
    return gone;
  }

  private Set<String> holders(Slice slice) {
    var post = slice.post;
    return switch (slice.look) {
      case Look.AtWritten _ ->
          slice.followers.stream().map(AudienceMember::followerId).collect(Collectors.toSet());
      case Look.AtAll _ -> feeds.holders(post.postId(), post.feedShards());
      case Look.Between(var first, var last) ->
          feeds.holders(post.postId(), post.feedShards(), first, last);
    };
  }
}
