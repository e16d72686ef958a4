package social.feed.streams.effect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.graph.Follower;
import social.feed.table.graph.Follows;
import social.feed.table.graph.KeptHistories;
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

  Deliveries(Follows follows, KeptHistories kept, HomeFeeds feeds) {
    this.follows = follows;
    this.kept = kept;
    this.feeds = feeds;
  }

  /**
   * A part of a post's audience.
   *
   * @param followers in the order of their ids
   */
  record Slice(Post post, List<Follower> followers) {
    /** Whoever followed later got what is owed by the backfill; a replay must not add to it. */
    Slice owed() {
      return new Slice(post, followers.stream().filter(this::isOwed).toList());
    }

    private boolean isOwed(Follower follower) {
      var since = follower.feedSince();
      return since == null || !post.createdAt().isBefore(since.minus(CLOCKS_DIFFER));
    }

    private Stream<FeedEntry> entries() {
      return followers.stream().map(f -> FeedEntry.of(post.ref(), f.followerId()));
    }
  }

  /** Two write units an entry, and one read unit for each 4 KB of follow edges. */
  void deliver(Stream<Slice> slices) {
    var pending = new ArrayList<Slice>();
    var sizes = new int[1];
    slices
        .map(Slice::owed)
        .filter(slice -> !slice.followers.isEmpty())
        .forEach(
            slice -> {
              pending.add(slice);
              sizes[0] += slice.followers.size();
              if (sizes[0] >= AT_ONCE) {
                write(pending);
                pending.clear();
                sizes[0] = 0;
              }
            });
    write(pending);
  }

  private void write(List<Slice> slices) {
    feeds.deliver(slices.stream().flatMap(Slice::entries).toList());
    feeds.withdraw(slices.stream().flatMap(this::unowed).toList());
  }

  /** Entries of those who no longer follow, unless they keep what they had. */
  private Stream<FeedEntry> unowed(Slice slice) {
    var left = left(slice);
    var gone =
        slice.followers.stream()
            .map(Follower::followerId)
            .filter(id -> !left.contains(id))
            .collect(Collectors.toCollection(HashSet::new));
    if (gone.isEmpty()) {
      return Stream.empty();
    }
    gone.removeAll(kept.keepers(gone, slice.post.authorId(), slice.post.createdAt()));
    return slice.entries().filter(entry -> gone.contains(entry.readerId()));
  }

  private Set<String> left(Slice slice) {
    var first = slice.followers.getFirst().followerId();
    var last = slice.followers.getLast().followerId();
    return follows.reach(slice.post.authorId(), first, last).stream()
        .map(Follower::followerId)
        .collect(Collectors.toSet());
  }
}
