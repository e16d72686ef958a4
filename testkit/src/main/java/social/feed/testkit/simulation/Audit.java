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

/** Compares the rows of a world with its model, and says where they differ. */
final class Audit {
  private final ReferenceModel truth;
  private final Map<Key, Row> rows = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private final List<String> readers;
  private final HomeFeeds feeds;
  private final Instant now;

  Audit(
      ReferenceModel truth,
      Collection<Row> rows,
      List<String> readers,
      HomeFeeds feeds,
      Instant now) {
    this.truth = truth;
    this.readers = readers;
    this.feeds = feeds;
    this.now = now;
    rows.forEach(row -> this.rows.put(row.key(), row));
  }

  List<String> violations(Scale scale, List<Subject.Crossing> crossings) {
    rows();
    erased();
    counts();
    var feedAudit = new FeedAudit(truth, rows, scale.newest());
    violations.addAll(feedAudit.violations());
    violations.addAll(new PageAudit(truth, rows, feedAudit, feeds, now).violations(readers));
    violations.addAll(new NotificationAudit(truth, rows).violations());
    violations.addAll(new CelebrityAudit(rows, scale.celebrityFrom(), crossings).violations());
    return violations;
  }

  private void rows() {
    same("posts", truth.posts.values().stream().map(Post::key), Post.class);
    same("likes", truth.likes.keySet().stream(), Like.class);
    same("comments", truth.comments.keySet().stream(), Comment.class);
    same("edges", truth.edges.keySet().stream(), Follow.class);
    specials();
    same("kept histories", truth.kept.keySet().stream(), RetainedPosts.class);
    var tags =
        truth.posts.values().stream()
            .flatMap(post -> post.tags().stream().map(tag -> PostTag.of(post, tag)));
    same("tags", tags.map(PostTag::key), PostTag.class);
    same("barriers", truth.barriers.keySet().stream(), BlockOrMute.class);
    truth.posts.values().forEach(this::reflected);
    of(FeedActivity.class)
        .filter(activity -> activity.rebuildFrom() != null)
        .forEach(activity -> violations.add("not brought up to date: " + activity.key()));
  }

  /** Nothing names who is gone. */
  private void erased() {
    for (var row : rows.values()) {
      row.referencedAccounts().stream()
          .filter(truth.erased()::contains)
          .forEach(id -> violations.add(row.key() + " names " + id + ", who was erased"));
    }
    truth.erased().stream()
        .map(Erasure::key)
        .filter(key -> !(rows.get(key) instanceof Erasure done && done.userId() == null))
        .forEach(key -> violations.add("not erased: " + key));
  }

  /** Edge, quota and the followee's row say the same of who follows specially. */
  private void specials() {
    var held = new HashMap<Key, Instant>();
    of(SpecialFollower.class)
        .forEach(row -> held.put(Follow.key(row.followerId(), row.followeeId()), row.createdAt()));
    if (!held.equals(truth.specials)) {
      violations.add("special followers: " + held + " instead of " + truth.specials);
    }
    var edges = new HashMap<Key, Instant>();
    of(Follow.class)
        .filter(edge -> edge.specialSince() != null)
        .forEach(edge -> edges.put(edge.key(), requireNonNull(edge.specialSince())));
    if (!edges.equals(truth.specials)) {
      violations.add("special edges: " + edges + " instead of " + truth.specials);
    }
    var quotas =
        of(FollowQuota.class)
            .flatMap(quota -> quota.specials().stream().map(id -> Follow.key(quota.userId(), id)))
            .collect(Collectors.toSet());
    if (!quotas.equals(truth.specials.keySet())) {
      violations.add("special in quotas: " + quotas + " instead of " + truth.specials.keySet());
    }
  }

  /** The post, and where it is found, say who may read it. */
  private void reflected(Post post) {
    if (rows.get(post.key()) instanceof Post held && held.visibility() != post.visibility()) {
      violations.add(post.key() + " is " + held.visibility());
    }
    for (var tag : post.tags()) {
      var wanted = PostTag.of(post, tag);
      if (rows.containsKey(wanted.key()) && !wanted.equals(rows.get(wanted.key()))) {
        violations.add("not as its post: " + wanted.key());
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
              var posts = truth.posts.values().stream().filter(p -> p.authorId().equals(id));
              same(id + " posts", posts.count(), user.postsCount());
            });
    of(Post.class)
        .forEach(
            post -> {
              var id = post.postId();
              var likes = truth.likes.values().stream().filter(l -> l.postId().equals(id));
              same(id + " likes", likes.count(), post.likesCount());
              var comments = truth.comments.values().stream().filter(c -> c.postId().equals(id));
              same(id + " comments", comments.count(), post.commentsCount());
            });
  }

  private long edges(Predicate<Follow> which) {
    return truth.edges.values().stream().filter(which).count();
  }

  private <R> Stream<R> of(Class<R> type) {
    return rows.values().stream().filter(type::isInstance).map(type::cast);
  }

  private void same(String what, long expected, long held) {
    if (expected != held) {
      violations.add(what + ": " + held + " instead of " + expected);
    }
  }

  private void same(String what, Stream<Key> expected, Class<?> type) {
    Set<Key> wanted = expected.collect(Collectors.toSet());
    Set<Key> held =
        rows.values().stream().filter(type::isInstance).map(Row::key).collect(Collectors.toSet());
    var missing = new HashSet<>(wanted);
    missing.removeAll(held);
    missing.forEach(key -> violations.add(what + " lack " + key));
    held.removeAll(wanted);
    held.forEach(key -> violations.add(what + " have " + key));
  }
}
