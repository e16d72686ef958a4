package social.feed.api.home;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.api.edge.security.Viewer;
import social.feed.api.post.PostAccess;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.FanOutProgress;
import social.feed.table.home.FanOuts;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.RetainedPosts;

/**
 * Explains why a post is not in a home feed. Checks the same rows as the home feed and the
 * multiplexer, in the same order. Strongly consistent, some nine read units.
 */
@Singleton
final class WhyMissing {
  private final PostAccess access;
  private final FollowEdges follows;
  private final RetainedPostsStore retained;
  private final HomeFeeds feeds;
  private final FanOuts fanOuts;
  private final PullRegistry registry;
  private final FeedActivities activities;
  private final InstantSource clock;

  WhyMissing(
      PostAccess access,
      FollowEdges follows,
      RetainedPostsStore retained,
      HomeFeeds feeds,
      FanOuts fanOuts,
      PullRegistry registry,
      FeedActivities activities,
      InstantSource clock) {
    this.access = access;
    this.follows = follows;
    this.retained = retained;
    this.feeds = feeds;
    this.fanOuts = fanOuts;
    this.registry = registry;
    this.activities = activities;
    this.clock = clock;
  }

  MissingBody of(Viewer viewer, String postId) {
    return access
        .find(viewer, postId)
        .map(post -> entitled(viewer, post))
        .orElseGet(() -> MissingBody.of(postId, unavailable(viewer, postId)));
  }

  private MissingReason unavailable(Viewer viewer, String postId) {
    return access.behindBlock(viewer, postId).isPresent()
        ? MissingReason.BLOCKED
        : MissingReason.UNAVAILABLE;
  }

  private MissingBody entitled(Viewer viewer, Post post) {
    if (viewer.userId().equals(post.authorId())) {
      return delivered(viewer, post, Optional.empty());
    }
    Optional<Follow> edge = follows.get(viewer.userId(), post.authorId());
    if (edge.isPresent()) {
      return unlessMuted(viewer, post, edge);
    }
    Optional<RetainedPosts> posts = retained.of(viewer.userId(), post.authorId());
    if (posts.isEmpty()) {
      return MissingBody.of(post.postId(), MissingReason.NOT_FOLLOWED);
    }
    return posts.get().covers(post.createdAt())
        ? unlessMuted(viewer, post, Optional.empty())
        : MissingBody.of(post.postId(), MissingReason.AFTER_UNFOLLOW);
  }

  private MissingBody unlessMuted(Viewer viewer, Post post, Optional<Follow> edge) {
    return viewer.relations().mutes(post.authorId())
        ? MissingBody.of(post.postId(), MissingReason.MUTED)
        : delivered(viewer, post, edge);
  }

  private MissingBody delivered(Viewer viewer, Post post, Optional<Follow> edge) {
    boolean isPulled =
        post.delivery() == FanOutMode.PULL && !viewer.userId().equals(post.authorId());
    if (isPulled) {
      if (registry.get(post.authorId()).filter(a -> a.covers(post.createdAt())).isPresent()) {
        return MissingBody.of(post.postId(), MissingReason.PRESENT);
      }
      if (!post.createdAt().isBefore(FeedEntry.horizon(clock.instant()))) {
        return MissingBody.of(post.postId(), MissingReason.DELIVERY_PENDING);
      }
    } else if (feeds.holds(viewer.userId(), post.ref())) {
      return MissingBody.of(post.postId(), MissingReason.PRESENT);
    }
    if (edge.filter(e -> post.createdAt().isBefore(e.fedSince())).isPresent()) {
      // The edge records the end of its backfill; without it the backfill is pending.
      return edge.map(Follow::feedSince).isPresent()
          ? MissingBody.of(post.postId(), MissingReason.BEFORE_FOLLOW)
          : undelivered(post, edge);
    }
    return notStored(viewer, post, edge).orElseGet(() -> undelivered(post, Optional.empty()));
  }

  /**
   * Returns the reason where deliveries skip the post because of its age or the reader's absence.
   * They never skip the reader's own posts.
   */
  private Optional<MissingBody> notStored(Viewer viewer, Post post, Optional<Follow> edge) {
    Instant now = clock.instant();
    Optional<FeedActivity> activity = activities.get(viewer.userId());
    Instant since = activity.map(FeedActivity::storedSince).orElse(Instant.EPOCH);
    if (post.createdAt().isBefore(since) || post.createdAt().isBefore(FeedEntry.horizon(now))) {
      return Optional.of(MissingBody.of(post.postId(), MissingReason.BEYOND_BOUND));
    }
    if (viewer.userId().equals(post.authorId())) {
      return Optional.empty();
    }
    // A follow counts as activity at its time, also without a read of the feed.
    return Stream.concat(
            activity.map(FeedActivity::lastReadAt).stream(), edge.map(Follow::createdAt).stream())
        .max(Instant::compareTo)
        .map(seen -> FeedActivity.at(viewer.userId(), seen))
        .filter(reader -> reader.isDormant(now) && !post.createdAt().isBefore(reader.mayLackFrom()))
        .map(_ -> MissingBody.of(post.postId(), MissingReason.NOT_READ_FOR_LONG));
  }

  /**
   * Returns the state of a delivery that has not written the post.
   *
   * @param backfill the edge whose backfill will deliver the post; empty for the post's own fan-out
   */
  private MissingBody undelivered(Post post, Optional<Follow> backfill) {
    Optional<FanOutProgress> progress = fanOuts.progress(post.postId(), clock.instant());
    boolean isOver =
        backfill.isEmpty() && progress.isPresent()
            || isOver(backfill.map(Follow::createdAt).orElse(post.createdAt()));
    MissingReason fallback = isOver ? MissingReason.LOST : MissingReason.DELIVERY_PENDING;
    MissingBody body =
        MissingBody.of(post.postId(), progress.flatMap(WhyMissing::unfinished).orElse(fallback));
    return progress.filter(known -> !known.isDeadLettered()).map(body::with).orElse(body);
  }

  private static Optional<MissingReason> unfinished(FanOutProgress progress) {
    if (progress.isDeadLettered() || (progress.isDone() && progress.failed() > 0)) {
      return Optional.of(MissingReason.DELIVERY_FAILED);
    }
    return progress.isDone() ? Optional.empty() : Optional.of(MissingReason.DELIVERY_PENDING);
  }

  private boolean isOver(Instant since) {
    return since.plus(Retention.LATEST_EFFECT).isBefore(clock.instant());
  }
}
