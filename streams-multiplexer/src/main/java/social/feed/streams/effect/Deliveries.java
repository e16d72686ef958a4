package social.feed.streams.effect;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.graph.Follower;
import social.feed.table.graph.Follows;
import social.feed.table.graph.KeptHistories;
import social.feed.table.home.Activities;
import social.feed.table.home.HomeFeeds;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;

/** Writes posts into followers' feeds and takes back what an unfollow beside it made wrong. */
final class Deliveries {
  /** By how much the clocks of two servers may differ that stamp an author's posts. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

  /** Entries that are written together; bounds the memory. */
  private static final int AT_ONCE = 2_000;

  private final Follows follows;
  private final KeptHistories kept;
  private final HomeFeeds feeds;
  private final Activities activities;
  private final Clock clock;

  Deliveries(
      Follows follows, KeptHistories kept, HomeFeeds feeds, Activities activities, Clock clock) {
    this.follows = follows;
    this.kept = kept;
    this.feeds = feeds;
    this.activities = activities;
    this.clock = clock;
  }

  /**
   * A part of a post's audience.
   *
   * @param followers in the order of their ids
   */
  record Slice(Post post, List<Follower> followers) {
    /** Whoever followed later got what is owed by the backfill; a replay must not add to it. */
    Slice owed() {
      return only(this::isOwed);
    }

    Slice without(Set<String> leftOut) {
      return only(follower -> !leftOut.contains(follower.followerId()));
    }

    private Slice only(Predicate<Follower> chosen) {
      return new Slice(post, followers.stream().filter(chosen).toList());
    }

    private boolean isOwed(Follower follower) {
      var since = follower.feedSince();
      return since == null || !post.createdAt().isBefore(since.minus(CLOCKS_DIFFER));
    }

    Stream<FeedEntry> entries() {
      return followers.stream().map(f -> FeedEntry.of(post.ref(), f.followerId()));
    }
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
   * unit for each 4 KB of follow edges and for each follower since long. None of them for who has
   * not read for long.
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
    feeds.deliver(owed.stream().flatMap(Slice::entries).toList());
    var unowed = owed.stream().map(this::unowed).toList();
    feeds.withdraw(unowed.stream().flatMap(List::stream).toList());
    for (int i = 0; i < slices.size(); i++) {
      long written = owed.get(i).followers.size() - unowed.get(i).size();
      var slice = slices.get(i);
      done.accept(new Delivered(slice, written, slice.followers.size() - written));
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

  /** Entries of those who no longer follow, unless they keep what they had. */
  private List<FeedEntry> unowed(Slice slice) {
    if (slice.followers.isEmpty()) {
      return List.of();
    }
    var left = left(slice);
    var gone =
        slice.followers.stream()
            .map(Follower::followerId)
            .filter(id -> !left.contains(id))
            .collect(Collectors.toCollection(HashSet::new));
    if (gone.isEmpty()) {
      return List.of();
    }
    gone.removeAll(kept.keepers(gone, slice.post.authorId(), slice.post.createdAt()));
    return slice.entries().filter(entry -> gone.contains(entry.readerId())).toList();
  }

  private Set<String> left(Slice slice) {
    var first = slice.followers.getFirst().followerId();
    var last = slice.followers.getLast().followerId();
    return follows.reach(slice.post.authorId(), first, last).stream()
        .map(Follower::followerId)
        .collect(Collectors.toSet());
  }
}
