package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.PostText;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mention;
import social.feed.table.row.Mute;
import social.feed.table.row.Post;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * People of one world who do things as the API does them: they try again until they are answered,
 * and the model notes what they did. Their ids come from the world alone.
 */
final class SimulatedUsers {
  private final String world;
  private final int feedShards;
  private final WriteStores stores;
  private final WriteStores sound;
  private final Clock clock;
  private final RandomGenerator random;
  private final ReferenceModel truth;
  private final Runnable revive;
  private final BiFunction<String, String, List<FeedEntry>> entries;
  private final List<String> ids = new ArrayList<>();

  /** Edges that somebody is writing. */
  private final Set<Key> beingFollowed = new HashSet<>();

  private boolean isAlone;

  /**
   * @param feedShards over how many partitions the entries of a post are spread
   * @param stores what goes wrong goes wrong here
   * @param sound the same table, for looks that are no part of the history
   * @param entries what is in a reader's feed of an author, for all that is known
   * @param revive starts the API again after it crashed
   */
  SimulatedUsers(
      String world,
      int feedShards,
      WriteStores stores,
      WriteStores sound,
      Clock clock,
      RandomGenerator random,
      ReferenceModel truth,
      BiFunction<String, String, List<FeedEntry>> entries,
      Runnable revive) {
    this.world = world;
    this.feedShards = feedShards;
    this.stores = stores;
    this.sound = sound;
    this.clock = clock;
    this.random = random;
    this.truth = truth;
    this.entries = entries;
    this.revive = revive;
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
    until(() -> stores.users().register(user));
    ids.add(id);
    return id;
  }

  /** The tag that posts of this world have, and no others. */
  String tag() {
    return world;
  }

  /** One that everybody can tell of, in a partition of its own. */
  Post posts(String author, Visibility visibility, String mentioned) {
    var now = Timestamps.now(clock);
    var text = "of #" + world + " and #more, says @" + handle(mentioned);
    var post =
        new Post(
            TimeOrderedId.random(now, random),
            author,
            text,
            PostText.tags(text),
            List.of(new Mention(handle(mentioned), mentioned)),
            visibility,
            null,
            now,
            feedShards,
            FanOutMode.of(sound.users().get(author).orElseThrow()),
            0,
            0,
            Map.of());
    until(() -> stores.posts().create(post));
    truth.posted(post);
    return post;
  }

  void deletes(Post post) {
    until(() -> stores.posts().delete(post.postId(), post.authorId()));
    truth.deleted(post.postId());
  }

  void likes(String user, Post post) {
    var like =
        until(
            () -> {
              var tried = new Like(post.postId(), user, post.authorId(), Timestamps.now(clock));
              return stores.likes().add(tried).orElse(tried);
            });
    if (truth.posts.containsKey(post.postId())) {
      truth.likes.putIfAbsent(like.key(), like);
    }
  }

  void unlikes(String user, Post post) {
    until(
        () -> {
          stores.likes().remove(post.postId(), user);
          return true;
        });
    truth.likes.remove(Like.key(post.postId(), user));
  }

  Comment comments(String user, Post post) {
    var now = Timestamps.now(clock);
    var id = TimeOrderedId.random(now, random);
    var comment = new Comment(post.postId(), id, user, post.authorId(), "well", now);
    until(() -> stores.comments().add(comment));
    if (truth.posts.containsKey(post.postId())) {
      truth.comments.put(comment.key(), comment);
    }
    return comment;
  }

  void uncomments(Comment comment) {
    until(
        () -> {
          stores.comments().delete(comment.postId(), comment.commentId());
          return true;
        });
    truth.comments.remove(comment.key());
  }

  void follows(String follower, String followee) {
    var key = Follow.key(follower, followee);
    boolean isFirst = beingFollowed.add(key);
    until(() -> stores.followWrites().follow(edge(follower, followee)));
    if (isFirst) {
      beingFollowed.remove(key);
    }
    sound
        .follows()
        .get(follower, followee)
        .ifPresent(edge -> truth.followed(edge, Timestamps.now(clock)));
  }

  void unfollows(String follower, String followee) {
    until(() -> stores.followWrites().unfollow(follower, followee));
    left(edge(follower, followee));
  }

  /**
   * A follow whose answer is still to come may have been there all the same; then what is kept says
   * whether it was.
   */
  private void left(Follow edge) {
    if (isUnanswered(edge) && keptAsItIs(edge).isEmpty()) {
      truth.leftUnanswered(edge);
    }
    truth.left(edge);
  }

  private boolean isUnanswered(Follow edge) {
    return beingFollowed.contains(edge.key()) && !truth.edges.containsKey(edge.key());
  }

  private Optional<RetainedPosts> keptAsItIs(Follow edge) {
    return sound.kept().of(edge.followerId(), edge.followeeId());
  }

  void unfollowsKeeping(String follower, String followee) {
    Instant now = Timestamps.now(clock);
    isAlone = true;
    var there = entries.apply(follower, followee);
    until(() -> stores.followWrites().unfollowKeepingHistory(follower, followee, now));
    var edge = edge(follower, followee);
    if (isUnanswered(edge)) {
      keptAsItIs(edge)
          .filter(kept -> kept.until().equals(now))
          .ifPresent(_ -> truth.followed(edge, now));
    }
    truth.leftKeeping(edge, now, there);
    isAlone = false;
  }

  /** Whether nobody else may do anything now, since it is noted what there is. */
  boolean isAlone() {
    return isAlone;
  }

  /** Only of whom somebody follows. */
  void marks(String follower, String followee) {
    Instant now = Timestamps.now(clock);
    until(() -> stores.specialWrites().mark(follower, followee, now));
    sound
        .follows()
        .get(follower, followee)
        .filter(edge -> edge.specialSince() != null)
        .ifPresent(
            edge -> truth.marked(edge, requireNonNull(edge.specialSince()), Timestamps.now(clock)));
  }

  void unmarks(String follower, String followee) {
    until(() -> stores.specialWrites().unmark(follower, followee));
    truth.specials.remove(Follow.key(follower, followee));
  }

  /** Whoever deleted it meanwhile finds nothing to change. */
  void shows(Post post, Visibility to) {
    until(() -> stores.posts().changeVisibility(post.postId(), post.authorId(), to))
        .ifPresent(truth::changed);
  }

  void blocks(String user, String other) {
    var block = new Block(user, other, Timestamps.now(clock));
    until(() -> stores.barrierWrites().block(block));
    Stream.of(edge(user, other), edge(other, user)).forEach(this::left);
    truth.blocked(block, Timestamps.now(clock));
  }

  void unblocks(String user, String other) {
    until(
        () -> {
          stores.barrierWrites().unblock(user, other);
          return true;
        });
    truth.barriers.keySet().removeAll(Set.of(Block.key(user, other), BlockedBy.key(other, user)));
  }

  void mutes(String user, String other) {
    var mute = Mute.of(user, other, Timestamps.now(clock), null);
    until(() -> stores.barrierWrites().mute(mute));
    truth.barred(mute.key(), user, other, Timestamps.now(clock));
  }

  void unmutes(String user, String other) {
    until(
        () -> {
          stores.barrierWrites().unmute(user, other);
          return true;
        });
    truth.barriers.remove(Mute.key(user, other));
  }

  /** Ends the account, and with it all that it did. */
  void erases(String user) {
    until(() -> stores.erasures().begin(user, Timestamps.now(clock)));
    truth.erase(user);
    ids.remove(user);
  }

  /**
   * Lets the alarm of an erasure ring, as TTL does when its time has come.
   *
   * @return whether there was something left to do
   */
  boolean rings(String user) {
    return sound
        .erasures()
        .of(user)
        .filter(erasure -> erasure.step() == ErasureStep.RESTING)
        .map(
            erasure -> {
              var alarm = new ErasureTimer(erasure.hash(), erasure.passes(), 0);
              until(
                  () -> {
                    stores.erasures().wake(alarm, Timestamps.now(clock));
                    return true;
                  });
              return true;
            })
        .orElse(false);
  }

  /** Opens the home feed. */
  void reads(String user) {
    until(
        () ->
            stores
                .activities()
                .read(
                    user,
                    Timestamps.now(clock),
                    () -> sound.users().get(user).map(User::createdAt)));
  }

  private Follow edge(String follower, String followee) {
    return Follow.of(follower, followee, Timestamps.now(clock));
  }

  private <T> T until(Supplier<T> request) {
    return RetryingClient.until(request, revive);
  }
}
