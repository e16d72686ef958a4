package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.media.MediaStore;
import social.feed.table.post.PostText;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.Mention;
import social.feed.table.row.Mute;
import social.feed.table.row.Picture;
import social.feed.table.row.Post;
import social.feed.table.row.PostMedia;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.UnreadRef;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.user.ProfileChange;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.fault.CrashPoint.Crash;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The users of one world. They act as the API does and retry each request until it succeeds; the
 * model records each action. Their ids contain the name of the world.
 */
final class SimulatedUsers {
  private static final int MAX_ATTEMPTS = 200;
  private static final MediaQuota QUOTA = new MediaQuota(1_000, 1_000);

  /** No upload takes so long that TTL deletes its file. */
  private static final long NEVER = 4_000_000_000L;

  private final String world;
  private final int feedShards;
  private final WriteStores stores;
  private final WriteStores direct;
  private final Clock clock;
  private final RandomGenerator random;
  private final ReferenceModel model;
  private final Runnable restart;
  private final BiFunction<String, String, List<FeedEntry>> entries;
  private final MediaStore media;
  private final Map<String, Set<String>> files = new ConcurrentHashMap<>();
  private final List<String> ids = new ArrayList<>();

  /** Edges of follow requests that have not returned. */
  private final Set<Key> followsInProgress = new HashSet<>();

  private boolean isExclusive;
  private boolean hasFiles;
  private BooleanSupplier givesUp = () -> false;

  /** A client that gave up a request; each of its attempts was refused. */
  static final class GivenUp extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private GivenUp(RuntimeException cause) {
      super(cause);
    }
  }

  /**
   * @param feedShards the number of partitions over which the feed entries of a post are spread
   * @param stores the stores on which faults are injected
   * @param direct stores on the same table without faults, for reads that are not part of the
   *     history
   * @param entries returns the known feed entries of a reader from an author
   * @param media the bytes of files
   * @param restart restarts the API after a crash
   */
  SimulatedUsers(
      String world,
      int feedShards,
      WriteStores stores,
      WriteStores direct,
      Clock clock,
      RandomGenerator random,
      ReferenceModel model,
      BiFunction<String, String, List<FeedEntry>> entries,
      MediaStore media,
      Runnable restart) {
    this.world = world;
    this.feedShards = feedShards;
    this.stores = stores;
    this.direct = direct;
    this.clock = clock;
    this.random = random;
    this.model = model;
    this.entries = entries;
    this.media = media;
    this.restart = restart;
  }

  List<String> ids() {
    return ids;
  }

  String handle(String userId) {
    return userId.replace('-', '_');
  }

  String registers(String name) {
    var id = world + "-" + name;
    var user = User.registered(id, handle(id), name, null, Timestamps.now(clock));
    retry(() -> stores.users().register(user));
    ids.add(id);
    return id;
  }

  /** Returns the tag that only posts of this world have. */
  String tag() {
    return world;
  }

  /**
   * Writes a post that mentions a user and has two tags of the world, so that notifications and
   * rankings depend on it.
   */
  Post posts(String author, Visibility visibility, String mentioned) {
    var now = Timestamps.now(clock);
    var text = "of #%s and #%s_more, says @%s".formatted(world, world, handle(mentioned));
    var post =
        SamplePosts.by(author, now)
            .randomId(random)
            .text(text)
            .tags(PostText.tags(text))
            .mentions(new Mention(handle(mentioned), mentioned))
            .visibility(visibility)
            .feedShards(feedShards)
            .delivery(FanOutMode.of(direct.users().get(author).orElseThrow()))
            .build();
    var file = hasFiles ? file(author, now) : Optional.<PostMedia>empty();
    if (file.isPresent()) {
      var showing = post.showing(List.of(file.get()));
      // It is refused where an earlier attempt wrote it, and where the account is erased meanwhile.
      retry(() -> stores.media().post(showing));
    } else {
      retry(() -> stores.posts().create(post));
    }
    model.posted(post);
    if (hasFiles) {
      showsAvatar(author, now);
    }
    return post;
  }

  /** Replaces the avatar, which is refused where the account is erased meanwhile. */
  private void showsAvatar(String user, Instant now) {
    file(user, now)
        .map(file -> Map.of(Picture.AVATAR, Optional.of(file.mediaId())))
        .map(pictures -> new ProfileChange(null, null, null, pictures))
        .ifPresent(change -> retry(() -> stores.users().change(user, change)));
  }

  /** Lets all later posts show a file of their author, who then has another one as avatar. */
  void attachFiles() {
    hasFiles = true;
  }

  /** Uploads a file as the API does; empty where the account is erased meanwhile. */
  private Optional<PostMedia> file(String owner, Instant now) {
    var reserved =
        retry(
            () -> {
              var attempted =
                  new Media(
                      TimeOrderedId.random(now, random),
                      owner,
                      "image/png",
                      1,
                      "f00d",
                      null,
                      now,
                      null,
                      null,
                      NEVER);
              files
                  .computeIfAbsent(owner, _ -> ConcurrentHashMap.newKeySet())
                  .add(attempted.mediaId());
              return stores.media().reserve(attempted, QUOTA) == MediaOutcome.RESERVED
                  ? Optional.of(attempted)
                  : Optional.<Media>empty();
            });
    return reserved.flatMap(this::completed);
  }

  private Optional<PostMedia> completed(Media pending) {
    try {
      media.write(pending.mediaId(), "small.png", new ByteArrayInputStream(new byte[1]), 1);
      var complete = retry(() -> stores.media().complete(pending, 3, 2));
      if (complete.isEmpty()) {
        removeObjects(pending);
      }
      return complete.flatMap(Media::copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the API does for a file that was deleted during its upload. */
  private void removeObjects(Media file) {
    try {
      media.removeAll(file.mediaId());
    } catch (IOException e) {
      direct.removals().note(file.mediaId(), file.ownerId(), Timestamps.now(clock));
    }
  }

  /** Returns the ids of all files that an account ever had. */
  Set<String> filesOf(String user) {
    return files.getOrDefault(user, Set.of());
  }

  void deletes(Post post) {
    var now = Timestamps.now(clock);
    retry(() -> stores.posts().delete(post.postId(), post.authorId(), now));
    model.deleted(post.postId());
  }

  void likes(String user, Post post) {
    var like =
        retry(
            () -> {
              var attempted = Like.of(post, user, Timestamps.now(clock));
              return stores.likes().add(attempted).orElse(attempted);
            });
    if (model.posts.containsKey(post.postId())) {
      model.likes.putIfAbsent(like.key(), like);
    }
  }

  void unlikes(String user, Post post) {
    retry(
        () -> {
          stores.likes().remove(post.postId(), user);
          return true;
        });
    model.likes.remove(Like.key(post.postId(), user));
  }

  Comment comments(String user, Post post) {
    var now = Timestamps.now(clock);
    var id = TimeOrderedId.random(now, random);
    var comment = new Comment(post.postId(), id, user, post.authorId(), "well", now);
    retry(() -> stores.comments().add(comment));
    if (model.posts.containsKey(post.postId())) {
      model.comments.put(comment.key(), comment);
    }
    return comment;
  }

  void deletesComment(Comment comment) {
    retry(
        () -> {
          stores.comments().delete(comment.postId(), comment.commentId());
          return true;
        });
    model.comments.remove(comment.key());
  }

  void follows(String follower, String followee) {
    var key = Follow.key(follower, followee);
    boolean isFirst = followsInProgress.add(key);
    try {
      retry(() -> stores.followWriter().follow(newEdge(follower, followee)));
    } finally {
      if (isFirst) {
        followsInProgress.remove(key);
      }
    }
    direct
        .follows()
        .get(follower, followee)
        .ifPresent(edge -> model.followed(edge, Timestamps.now(clock)));
  }

  void unfollows(String follower, String followee) {
    retry(() -> stores.followWriter().unfollow(follower, followee));
    edgeEnded(edge(follower, followee));
  }

  /**
   * Records the end of an edge. The follow request of the edge may have been applied without an
   * answer so far; the stored retained posts then say whether it was.
   */
  private void edgeEnded(Follow edge) {
    if (mayExistUnanswered(edge) && storedRetained(edge).isEmpty()) {
      model.unansweredEdgeEnded(edge);
    }
    model.edgeEnded(edge);
  }

  private boolean mayExistUnanswered(Follow edge) {
    return followsInProgress.contains(edge.key()) && !model.edges.containsKey(edge.key());
  }

  private Optional<RetainedPosts> storedRetained(Follow edge) {
    return direct.retainedPosts().of(edge.followerId(), edge.followeeId());
  }

  void unfollowsKeeping(String follower, String followee) {
    Instant now = Timestamps.now(clock);
    isExclusive = true;
    var stored = entries.apply(follower, followee);
    try {
      retry(() -> stores.followWriter().unfollowKeepingHistory(follower, followee, now));
    } finally {
      isExclusive = false;
    }
    var edge = edge(follower, followee);
    if (mayExistUnanswered(edge)) {
      storedRetained(edge)
          .filter(retained -> retained.until().equals(now))
          .ifPresent(_ -> model.followed(edge, now));
    }
    model.edgeEndedKeepingPosts(edge, now, stored);
  }

  /**
   * Lets clients give up requests that the API has refused, which then must have no effect.
   *
   * @param chooses decides after a refused attempt
   */
  void giveUp(BooleanSupplier chooses) {
    givesUp = chooses;
  }

  /**
   * Returns whether no other action may run now, because the current one records the stored state.
   */
  boolean isExclusive() {
    return isExclusive;
  }

  /** Marks an existing edge as special. */
  void followsSpecially(String follower, String followee) {
    Instant now = Timestamps.now(clock);
    retry(() -> stores.specialFollowWriter().mark(follower, followee, now));
    direct
        .follows()
        .get(follower, followee)
        .filter(edge -> edge.specialSince() != null)
        .ifPresent(
            edge ->
                model.followedSpecially(
                    edge, requireNonNull(edge.specialSince()), Timestamps.now(clock)));
  }

  void unfollowsSpecially(String follower, String followee) {
    retry(() -> stores.specialFollowWriter().unmark(follower, followee));
    model.specials.remove(Follow.key(follower, followee));
  }

  /**
   * Changes the visibility of a post. Changes nothing when a concurrent request has deleted the
   * post.
   */
  void changesVisibility(Post post, Visibility to) {
    retry(() -> stores.posts().changeVisibility(post.postId(), post.authorId(), to))
        .ifPresent(model::visibilityChanged);
  }

  void blocks(String user, String other) {
    var block = new Block(user, other, Timestamps.now(clock));
    retry(() -> stores.blockWriter().block(block));
    Stream.of(edge(user, other), edge(other, user)).forEach(this::edgeEnded);
    model.blocked(block, Timestamps.now(clock));
  }

  void unblocks(String user, String other) {
    retry(
        () -> {
          stores.blockWriter().unblock(user, other);
          return true;
        });
    model
        .blocksAndMutes
        .keySet()
        .removeAll(Set.of(Block.key(user, other), BlockedBy.key(other, user)));
  }

  void mutes(String user, String other) {
    var mute = Mute.of(user, other, Timestamps.now(clock), null);
    retry(() -> stores.blockWriter().mute(mute));
    model.blockedOrMuted(mute.key(), user, other, Timestamps.now(clock));
  }

  void unmutes(String user, String other) {
    retry(
        () -> {
          stores.blockWriter().unmute(user, other);
          return true;
        });
    model.blocksAndMutes.remove(Mute.key(user, other));
  }

  /** Starts the erasure of an account and of all that belongs to it. */
  void erases(String user) {
    retry(() -> stores.erasures().begin(user, Timestamps.now(clock)));
    model.erase(user);
    ids.remove(user);
  }

  /** Returns whether the erasure of an account waits for a sweep. */
  boolean waitsForSweep(String user) {
    return direct
        .erasures()
        .of(user)
        .filter(erasure -> erasure.step() == ErasureStep.RESTING)
        .isPresent();
  }

  /** Fires the timer of the sweep for erasures, as TTL does when the timer row expires. */
  void wakesSweep(Instant now) {
    retry(
        () -> {
          stores.sweeps().wake(now);
          return true;
        });
  }

  /** Opens the home feed. */
  void readsHomeFeed(String user) {
    retry(
        () ->
            stores
                .activities()
                .read(
                    user,
                    Timestamps.now(clock),
                    () -> direct.users().get(user).map(User::createdAt)));
  }

  /** Marks the newest unread notification of a user as read. */
  void readsNewestNotification(String user) {
    direct.notifications().unread(user, PageRequest.first(1)).items().stream()
        .map(UnreadRef::notificationId)
        .forEach(id -> retry(() -> stores.notifications().markRead(user, id)));
  }

  /** Marks all notifications of a user as read. */
  void readsAllNotifications(String user) {
    retry(
        () -> {
          stores.notifications().markAllRead(user, Timestamps.now(clock));
          return true;
        });
  }

  /**
   * Returns an edge to an account as it is now; to one that is gone where it was erased meanwhile.
   */
  private Follow newEdge(String follower, String followee) {
    return direct
        .users()
        .get(followee)
        .map(account -> Follow.requested(follower, account, Timestamps.now(clock)))
        .orElseGet(() -> edge(follower, followee));
  }

  private Follow edge(String follower, String followee) {
    return Follow.of(follower, followee, Timestamps.now(clock));
  }

  /**
   * Repeats a request until the API answers it, as a client does.
   *
   * @throws GivenUp where the client gives it up
   */
  private <T> T retry(Supplier<T> request) {
    for (int attempt = 1; ; attempt++) {
      try {
        return request.get();
      } catch (SdkException | ThrottledException e) {
        if (attempt == MAX_ATTEMPTS) {
          throw e;
        }
        if (givesUp.getAsBoolean()) {
          throw new GivenUp(e);
        }
      } catch (Crash e) {
        restart.run();
      }
    }
  }
}
