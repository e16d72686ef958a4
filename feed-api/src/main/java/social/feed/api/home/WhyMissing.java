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
      return delivered(viewer, post).orElseGet(() -> following(viewer, post, Optional.empty()));
    }
    Optional<Follow> edge = follows.get(viewer.userId(), post.authorId());
    if (edge.isPresent()) {
      return visible(viewer, post).orElseGet(() -> followed(viewer, post, edge.get()));
    }
    Optional<RetainedPosts> posts = retained.of(viewer.userId(), post.authorId());
    if (posts.isEmpty()) {
      return MissingBody.of(post.postId(), MissingReason.NOT_FOLLOWED);
    }
    return posts.get().covers(post.createdAt())
        ? visible(viewer, post).orElseGet(() -> unfollowed(viewer, post, posts.get()))
        : MissingBody.of(post.postId(), MissingReason.AFTER_UNFOLLOW);
  }

  /** Returns the reason of a post that is muted, present, or pulled and not there yet. */
  private Optional<MissingBody> visible(Viewer viewer, Post post) {
    return viewer.relations().mutes(post.authorId())
        ? Optional.of(MissingBody.of(post.postId(), MissingReason.MUTED))
        : delivered(viewer, post);
  }

  private Optional<MissingBody> delivered(Viewer viewer, Post post) {
    boolean isPulled =
        post.delivery() == FanOutMode.PULL && !viewer.userId().equals(post.authorId());
    if (isPulled) {
      if (registry.get(post.authorId()).filter(a -> a.covers(post.createdAt())).isPresent()) {
        return Optional.of(MissingBody.of(post.postId(), MissingReason.PRESENT));
      }
      if (!post.createdAt().isBefore(FeedEntry.horizon(clock.instant()))) {
        return Optional.of(MissingBody.of(post.postId(), MissingReason.DELIVERY_PENDING));
      }
    } else if (feeds.holds(viewer.userId(), post.ref())) {
      return Optional.of(MissingBody.of(post.postId(), MissingReason.PRESENT));
    }
    return Optional.empty();
  }

  private MissingBody followed(Viewer viewer, Post post, Follow edge) {
    if (!post.createdAt().isBefore(edge.fedSince())) {
      return following(viewer, post, Optional.of(edge));
    }
    // The posts of an earlier follow are retained also while the caller follows the author again.
    boolean isRetained =
        retained
            .of(viewer.userId(), post.authorId())
            .filter(posts -> posts.spans(post.createdAt()))
            .isPresent();
    // The edge records the end of its backfill; without it the backfill is pending.
    if (edge.feedSince() != null) {
      return isRetained
          ? retained(viewer, post, Optional.of(edge))
          : MissingBody.of(post.postId(), MissingReason.BEFORE_FOLLOW);
    }
    return Optional.of(edge)
        .filter(_ -> isRetained)
        .flatMap(follow -> notStored(viewer, post, Optional.of(follow)))
        .orElseGet(() -> undelivered(post, Optional.of(edge)));
  }

  private MissingBody unfollowed(Viewer viewer, Post post, RetainedPosts posts) {
    return posts.spans(post.createdAt())
        ? retained(viewer, post, Optional.empty())
        : MissingBody.of(post.postId(), MissingReason.BEFORE_FOLLOW);
  }

  private MissingBody following(Viewer viewer, Post post, Optional<Follow> edge) {
    return notStored(viewer, post, edge).orElseGet(() -> undelivered(post, Optional.empty()));
  }

  /**
   * Returns the reason of a post that the history may have held. No delivery reaches a former
   * follower, and nothing requires an entry of retained posts, so its absence is no defect.
   */
  private MissingBody retained(Viewer viewer, Post post, Optional<Follow> edge) {
    MissingBody body = following(viewer, post, edge);
    return switch (body.reason()) {
      case LOST, DELIVERY_FAILED -> MissingBody.of(post.postId(), MissingReason.AFTER_UNFOLLOW);
      default -> body;
    };
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
