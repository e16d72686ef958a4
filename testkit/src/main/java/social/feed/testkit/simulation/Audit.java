package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.home.HomeFeeds;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.User;

/** Compares the rows of a world with its model and lists the differences. */
final class Audit {
  private final ReferenceModel model;
  private final CommitOrder order;
  private final Map<Key, Row> rows = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private final List<String> readers;
  private final HomeFeeds feeds;
  private final Instant now;

  Audit(
      ReferenceModel model,
      CommitOrder order,
      Collection<Row> rows,
      List<String> readers,
      HomeFeeds feeds,
      Instant now) {
    this.model = model;
    this.order = order;
    this.readers = readers;
    this.feeds = feeds;
    this.now = now;
    rows.forEach(row -> this.rows.put(row.key(), row));
  }

  List<String> violations(Scale scale, List<Subject.Crossing> crossings) {
    rows();
    erased();
    counts();
    var feedAudit = new FeedAudit(model, rows, scale.newest());
    violations.addAll(feedAudit.violations());
    violations.addAll(new PageAudit(model, rows, feedAudit, feeds, now).violations(readers));
    violations.addAll(new NotificationAudit(model, order, rows, now).violations());
    violations.addAll(new CelebrityAudit(rows, scale.celebrityFrom(), crossings, now).violations());
    return violations;
  }

  private void rows() {
    same("posts", model.posts.values().stream().map(Post::key), Post.class);
    same("likes", model.likes.keySet().stream(), Like.class);
    same("comments", model.comments.keySet().stream(), Comment.class);
    same("edges", model.edges.keySet().stream(), Follow.class);
    specials();
    same("retained posts", model.retainedPosts.keySet().stream(), RetainedPosts.class);
    var tags =
        model.posts.values().stream()
            .flatMap(post -> post.tags().stream().map(tag -> PostTag.of(post, tag)));
    same("tags", tags.map(PostTag::key), PostTag.class);
    same("blocks and mutes", model.blocksAndMutes.keySet().stream(), BlockOrMute.class);
    of(FollowQuota.class).forEach(this::promises);
    model.posts.values().forEach(this::checkVisibility);
    of(FeedActivity.class)
        .filter(activity -> activity.rebuildFrom() != null)
        .forEach(activity -> violations.add("feed not rebuilt: " + activity.key()));
  }

  /** Checks that no row contains the id of an erased account. */
  private void erased() {
    for (var row : rows.values()) {
      row.referencedAccounts().stream()
          .filter(model.erased()::contains)
          .forEach(id -> violations.add(row.key() + " contains the erased account " + id));
    }
    model.erased().stream()
        .map(Erasure::key)
        .filter(key -> !(rows.get(key) instanceof Erasure done && done.userId() == null))
        .forEach(key -> violations.add("not erased: " + key));
  }

  /** Checks that edges, quotas and special-follower rows contain the same special follows. */
  private void specials() {
    var stored = new HashMap<Key, Instant>();
    of(SpecialFollower.class)
        .forEach(
            row -> stored.put(Follow.key(row.followerId(), row.followeeId()), row.createdAt()));
    if (!stored.equals(model.specials)) {
      violations.add("special followers: " + stored + " instead of " + model.specials);
    }
    var edges = new HashMap<Key, Instant>();
    of(Follow.class)
        .filter(edge -> edge.specialSince() != null)
        .forEach(edge -> edges.put(edge.key(), requireNonNull(edge.specialSince())));
    if (!edges.equals(model.specials)) {
      violations.add("special edges: " + edges + " instead of " + model.specials);
    }
    var quotas =
        of(FollowQuota.class)
            .flatMap(quota -> quota.specials().stream().map(id -> Follow.key(quota.userId(), id)))
            .collect(Collectors.toSet());
    if (!quotas.equals(model.specials.keySet())) {
      violations.add("special in quotas: " + quotas + " instead of " + model.specials.keySet());
    }
  }

  /** Checks what a quota says about the blocks, the mutes and the edges of its user. */
  private void promises(FollowQuota quota) {
    if (quota.isUnrelated()
        && of(BlockOrMute.class).anyMatch(row -> row.userId().equals(quota.userId()))) {
      violations.add(quota.key() + " denies a block or mute");
    }
    var followees =
        of(Follow.class)
            .filter(edge -> edge.followerId().equals(quota.userId()))
            .map(Follow::followeeId)
            .collect(Collectors.toSet());
    if (!quota.isListedBy(followees)) {
      violations.add(quota.key() + " does not prove " + followees);
    }
  }

  /** Checks the visibility of a post and of its tag rows. */
  private void checkVisibility(Post post) {
    if (rows.get(post.key()) instanceof Post stored && stored.visibility() != post.visibility()) {
      violations.add(post.key() + " is " + stored.visibility());
    }
    for (var tag : post.tags()) {
      var expected = PostTag.of(post, tag);
      if (rows.containsKey(expected.key()) && !expected.equals(rows.get(expected.key()))) {
        violations.add("tag row differs from its post: " + expected.key());
      }
    }
  }

  private void counts() {
    of(User.class)
        .forEach(
            user -> {
              var id = user.userId();
              same(id + " followers", edges(e -> e.followeeId().equals(id)), user.followersCount());
              long following = edges(e -> e.followerId().equals(id));
              same(id + " following", following, user.followingCount());
              var quota = rows.get(FollowQuota.key(id));
              same(id + " quota", following, quota instanceof FollowQuota q ? q.following() : 0);
              var posts = model.posts.values().stream().filter(p -> p.authorId().equals(id));
              same(id + " posts", posts.count(), user.postsCount());
            });
    of(Post.class)
        .forEach(
            post -> {
              var id = post.postId();
              var likes = model.likes.values().stream().filter(l -> l.postId().equals(id));
              same(id + " likes", likes.count(), post.likesCount());
              var comments = model.comments.values().stream().filter(c -> c.postId().equals(id));
              same(id + " comments", comments.count(), post.commentsCount());
            });
  }

  private long edges(Predicate<Follow> which) {
    return model.edges.values().stream().filter(which).count();
  }

  private <R> Stream<R> of(Class<R> type) {
    return rows.values().stream().filter(type::isInstance).map(type::cast);
  }

  private void same(String what, long expected, long stored) {
    if (expected != stored) {
      violations.add(what + ": " + stored + " instead of " + expected);
    }
  }

  private void same(String what, Stream<Key> expectedKeys, Class<?> type) {
    Set<Key> expected = expectedKeys.collect(Collectors.toSet());
    Set<Key> stored =
        rows.values().stream().filter(type::isInstance).map(Row::key).collect(Collectors.toSet());
    var missing = new HashSet<>(expected);
    missing.removeAll(stored);
    missing.forEach(key -> violations.add(what + " are missing: " + key));
    stored.removeAll(expected);
    stored.forEach(key -> violations.add(what + " exist unexpectedly: " + key));
  }
}
