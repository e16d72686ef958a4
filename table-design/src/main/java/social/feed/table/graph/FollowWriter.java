package social.feed.table.graph;

import static social.feed.table.graph.FollowQuotas.unchanged;
import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.graph.UnfollowOutcome.KeepsTooMany;
import social.feed.table.graph.UnfollowOutcome.NotFollowing;
import social.feed.table.graph.UnfollowOutcome.SlowedDown;
import social.feed.table.graph.UnfollowOutcome.TooManyToday;
import social.feed.table.graph.UnfollowOutcome.TooSoon;
import social.feed.table.graph.UnfollowOutcome.Unfollowed;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.User;

/**
 * Changes follow edges. One transaction writes each edge with the follower's quota, and replaces
 * the quota only while it still is the one that was read. So the cap holds under concurrency, and
 * the number of followed accounts is exact at every moment.
 */
public final class FollowWriter {
  /** DynamoDB's limit on the items of a transaction. */
  public static final int MAX_ADOPTED = Transaction.MAX_WRITES;

  private final Table table;
  private final FollowQuotas quotas;
  private final PartitionQueries partitions;
  private final long cap;
  private final long retentionCap;
  private final FollowRateLimit rateLimit;

  /**
   * A writer without a rate limit: for imports and repairs.
   *
   * @param cap the most accounts that one user may follow
   */
  public FollowWriter(Table table, long cap) {
    this(table, cap, Long.MAX_VALUE, FollowRateLimit.ANY);
  }

  /**
   * @param cap the most accounts that one user may follow
   * @param retentionCap the most accounts that one user may unfollow and retain the posts of
   * @param rateLimit how often {@link #follow} and {@link #leave} may be repeated
   */
  public FollowWriter(Table table, long cap, long retentionCap, FollowRateLimit rateLimit) {
    this.table = table;
    this.quotas = new FollowQuotas(table);
    this.partitions = new PartitionQueries(table);
    this.cap = cap;
    this.retentionCap = retentionCap;
    this.rateLimit = rateLimit;
  }

  /**
   * Follows, unless one of the two blocks the other. One read unit. Six write units: two each for
   * the edge and the quota, as in every transaction, and one for each of the edge's two indexes. A
   * follower who may be in blocks costs two more of each. A block of the follower's own changes the
   * quota, and the first block by another account does too. So one that this method does not see
   * rejects the edge. Further blocks by others change no quota: the transaction checks their row.
   *
   * @throws ThrottledException when concurrent writes keep changing the same quota
   */
  public FollowOutcome follow(Follow edge) {
    return table
        .retry()
        .until(
            "Follow quota of " + User.key(edge.followerId()),
            () -> {
              var quota = quotas.of(edge.followerId());
              if (!blocked(List.of(edge), List.of(quota)).isEmpty()) {
                return Optional.of(FollowOutcome.BLOCKED);
              }
              if (quota.following() >= cap) {
                return Optional.of(
                    exists(edge) ? FollowOutcome.ALREADY_FOLLOWING : FollowOutcome.CAP_REACHED);
              }
              var today = rateLimit.isAny() ? quota : quota.on(edge.createdAt()).followedOnce();
              if (today.follows() > rateLimit.follows(today, edge.createdAt())) {
                return Optional.of(exists(edge) ? FollowOutcome.ALREADY_FOLLOWING : tooMany(today));
              }
              var transaction =
                  table
                      .transaction()
                      .put(edge, absent())
                      .put(today.following(List.of(edge.followeeId())), unchanged(quota));
              if (!quota.isUnrelated()) {
                transaction.check(blockedBy(edge), absent());
              }
              var outcome = transaction.commit();
              if (outcome.isDone()) {
                return Optional.of(FollowOutcome.FOLLOWED);
              }
              return outcome.failedAt(edge.key())
                  ? Optional.of(FollowOutcome.ALREADY_FOLLOWING)
                  : Optional.empty();
            });
  }

  private FollowOutcome tooMany(FollowQuota today) {
    return today.follows() > rateLimit.followsADay()
        ? FollowOutcome.TOO_MANY_TODAY
        : FollowOutcome.SLOWED_DOWN;
  }

  /**
   * Slows a user down until a time, or ends that. It ends by itself. Every follow and unfollow
   * reads the quota and replaces the version that it read, so none that begins later is free of it.
   * One read unit and two write units.
   *
   * @param until null to end it
   * @return false for a user without a quota, who never followed an account
   * @throws ThrottledException when concurrent writes keep changing the same quota
   */
  public boolean slowDown(String userId, @Nullable Instant until) {
    return table
        .retry()
        .until(
            "The slow-down of " + User.key(userId),
            () -> {
              var quota = quotas.of(userId);
              if (quota.version() == 0) {
                return Optional.of(false);
              }
              // A transaction, because its conflict with another one can be repeated.
              return table
                      .transaction()
                      .put(quota.slowed(until), unchanged(quota))
                      .commit()
                      .isDone()
                  ? Optional.of(true)
                  : Optional.empty();
            });
  }

  /**
   * Unfollows within the rate limit. Three read units and six write units, two more to retain posts
   * or to end their retention, and two more where the follow was special. Retention also takes a
   * read unit for each twenty accounts whose posts the user retains already. They are counted each
   * time, between the quota and its next version, so that the cap holds under concurrency.
   *
   * @param keepsHistory whether the account's posts that the feed holds so far stay
   * @throws ThrottledException when concurrent writes keep changing the same quota
   */
  public UnfollowOutcome leave(
      String followerId, String followeeId, boolean keepsHistory, Instant now) {
    return leave(followerId, followeeId, keepsHistory, now, () -> {});
  }

  /**
   * As {@link #leave(String, String, boolean, Instant)}.
   *
   * @param admission runs once where there is a follow that may end, before it ends; it stays where
   *     this throws
   */
  public UnfollowOutcome leave(
      String followerId, String followeeId, boolean keepsHistory, Instant now, Runnable admission) {
    return end(followerId, followeeId, keepsHistory, now, rateLimit, admission);
  }

  /**
   * Unfollows without a rate limit; the account's posts leave the feed. Costs as {@link #leave}.
   *
   * @return whether there was an edge
   * @throws ThrottledException when concurrent writes keep changing the same quota
   */
  public boolean unfollow(String followerId, String followeeId) {
    return end(followerId, followeeId, false, Instant.EPOCH, FollowRateLimit.ANY, () -> {})
        instanceof Unfollowed;
  }

  /**
   * Unfollows without a rate limit; the account's posts that the feed holds so far stay. Costs as
   * {@link #leave}.
   *
   * @param now until when the account's posts are retained
   * @return whether there was an edge
   * @throws ThrottledException when concurrent writes keep changing the same quota
   */
  public boolean unfollowKeepingHistory(String followerId, String followeeId, Instant now) {
    return end(followerId, followeeId, true, now, FollowRateLimit.ANY, () -> {})
        instanceof Unfollowed;
  }

  private UnfollowOutcome end(
      String followerId,
      String followeeId,
      boolean keepsHistory,
      Instant now,
      FollowRateLimit limits,
      Runnable admission) {
    var edge = Follow.key(followerId, followeeId);
    var isAdmitted = new AtomicBoolean();
    var retention = RetainedPosts.key(followerId, followeeId);
    return table
        .retry()
        .until(
            "The end of " + edge,
            () -> {
              // Read before the rows: each change of them changes the quota's version.
              var quota = quotas.of(followerId);
              var rows = table.getAll(List.of(edge, retention), true);
              var today = limits.isAny() ? quota : quota.on(now).unfollowedOnce();
              var refusal = refusal(rows, today, now, limits);
              if (refusal.isPresent()) {
                return refusal;
              }
              if (!isAdmitted.getAndSet(true)) {
                admission.run();
              }
              var rest = today.unmarking(followeeId);
              var transaction =
                  table
                      .transaction()
                      .delete(edge, present())
                      .put(rest.unfollowing(followeeId), unchanged(quota));
              if (!rest.equals(today)) {
                transaction.delete(SpecialFollower.key(followerId, followeeId));
              }
              if (keepsHistory && retainsTooMany(followerId, rows)) {
                return Optional.of(new KeepsTooMany());
              }
              if (keepsHistory) {
                var since = since(rows).orElse(now);
                transaction.put(new RetainedPosts(followerId, followeeId, since, now));
              } else if (rows.stream().anyMatch(RetainedPosts.class::isInstance)) {
                transaction.delete(retention, present());
              }
              return transaction.commit().isDone()
                  ? Optional.of(new Unfollowed())
                  : Optional.empty();
            });
  }

  /** An account whose posts the user retains already counts once. */
  private boolean retainsTooMany(String followerId, List<Row> rows) {
    return retentionCap < Long.MAX_VALUE
        && rows.stream().noneMatch(RetainedPosts.class::isInstance)
        && partitions.keys(Keys.user(followerId), Keys.KEPT).mapToLong(List::size).sum()
            >= retentionCap;
  }

  private static Optional<UnfollowOutcome> refusal(
      List<Row> rows, FollowQuota today, Instant now, FollowRateLimit limits) {
    var edge = rows.stream().filter(Follow.class::isInstance).map(Follow.class::cast).findAny();
    if (edge.isEmpty()) {
      return Optional.of(new NotFollowing());
    }
    var from = edge.get().createdAt().plus(limits.coolDown());
    if (!limits.isAny() && from.isAfter(now)) {
      return Optional.of(new TooSoon(from));
    }
    if (today.unfollows() <= limits.unfollows(today, now)) {
      return Optional.empty();
    }
    return Optional.of(
        today.unfollows() > limits.unfollowsADay()
            ? new TooManyToday(FollowRateLimit.nextDay(now))
            : new SlowedDown(FollowRateLimit.endOfSlowDown(today, now)));
  }

  /** How far back the feed holds posts, by the edge and by the retention of an earlier unfollow. */
  private static Optional<Instant> since(List<Row> rows) {
    return rows.stream()
        .<Instant>mapMulti(
            (row, since) -> {
              if (row instanceof Follow edge) {
                since.accept(edge.fedSince());
              } else if (row instanceof RetainedPosts retained) {
                since.accept(retained.since());
              }
            })
        .min(Instant::compareTo);
  }

  /**
   * Imports edges with the quotas of their followers. Edges that exist already stay as they are,
   * and edges across a block are left out, as {@link #follow} does. The first attempt takes all
   * edges as new; the edges are read only when it is rejected. One read unit a follower, and one
   * more an edge where some exist. Four write units an edge and two a follower. Each edge of a user
   * who may be in blocks costs two more of each, and may need a second transaction; otherwise all
   * edges are written or none.
   *
   * @param edges none twice; at most {@value #MAX_ADOPTED} together with their distinct followers
   * @throws FollowCapException when a follower would have more edges than are allowed
   */
  public AdoptedFollows adopt(List<Follow> edges) {
    return table
        .retry()
        .until(
            "Import of " + edges.size() + " follow edges",
            attempt -> {
              boolean isGuess = attempt == 1;
              var missing = isGuess ? edges : missing(edges);
              var quotasBefore = quotasOf(missing);
              var blocked = blocked(missing, quotasBefore);
              var allowed = missing.stream().filter(edge -> !blocked.contains(edge)).toList();
              if (writes(allowed, quotasBefore) > Transaction.MAX_WRITES) {
                int half = allowed.size() / 2;
                return Optional.of(
                    adopt(allowed.subList(0, half))
                        .and(adopt(allowed.subList(half, allowed.size())))
                        .and(new AdoptedFollows(0, blocked)));
              }
              return allowed.isEmpty() || insert(allowed, quotasBefore, isGuess)
                  ? Optional.of(new AdoptedFollows(allowed.size(), blocked))
                  : Optional.empty();
            });
  }

  /**
   * Returns the edges across a block, which {@link #adopt} leaves out. One read unit a follower,
   * and two for each edge of a user who may be in blocks.
   */
  public List<Follow> blocked(List<Follow> edges) {
    return blocked(edges, quotasOf(edges));
  }

  private List<FollowQuota> quotasOf(List<Follow> edges) {
    return quotas.of(edges.stream().map(Follow::followerId).distinct().toList());
  }

  /**
   * Returns the edges that lie across a block.
   *
   * @param quotasBefore quotas of the followers, read before
   */
  private List<Follow> blocked(List<Follow> edges, List<FollowQuota> quotasBefore) {
    var candidates = ofRelated(edges, quotasBefore).toList();
    var blocks =
        table.getAll(candidates.stream().flatMap(FollowWriter::blocks).toList(), true).stream()
            .map(Row::key)
            .collect(Collectors.toSet());
    return candidates.stream().filter(edge -> blocks(edge).anyMatch(blocks::contains)).toList();
  }

  /** Returns the edges of the users who may be in blocks. */
  private static Stream<Follow> ofRelated(List<Follow> edges, List<FollowQuota> quotas) {
    var related =
        quotas.stream()
            .filter(quota -> !quota.isUnrelated())
            .map(FollowQuota::userId)
            .collect(Collectors.toSet());
    return edges.stream().filter(edge -> related.contains(edge.followerId()));
  }

  private static Stream<Key> blocks(Follow edge) {
    return Stream.of(Block.key(edge.followerId(), edge.followeeId()), blockedBy(edge));
  }

  private static Key blockedBy(Follow edge) {
    return BlockedBy.key(edge.followerId(), edge.followeeId());
  }

  /** The writes and checks of the transaction that inserts edges. */
  private static long writes(List<Follow> edges, List<FollowQuota> quotas) {
    return edges.size()
        + edges.stream().map(Follow::followerId).distinct().count()
        + ofRelated(edges, quotas).count();
  }

  /**
   * Inserts edges with the quotas of their followers.
   *
   * @param isGuess whether some edges may exist, so that a broken cap is not certain yet
   * @return whether all were written
   */
  private boolean insert(List<Follow> edges, List<FollowQuota> quotasBefore, boolean isGuess) {
    var added =
        edges.stream()
            .collect(
                Collectors.groupingBy(
                    Follow::followerId,
                    Collectors.mapping(Follow::followeeId, Collectors.toList())));
    var transaction = table.transaction();
    edges.forEach(edge -> transaction.put(edge, absent()));
    ofRelated(edges, quotasBefore).forEach(edge -> transaction.check(blockedBy(edge), absent()));
    for (var quota : quotasBefore) {
      var followees = added.getOrDefault(quota.userId(), List.of());
      int ofFollower = followees.size();
      if (ofFollower > 0 && quota.following() + ofFollower > cap) {
        if (isGuess) {
          return false;
        }
        throw new FollowCapException(quota.userId(), quota.following(), ofFollower, cap);
      }
      if (ofFollower > 0) {
        transaction.put(quota.following(followees), unchanged(quota));
      }
    }
    return transaction.commit().isDone();
  }

  private boolean exists(Follow edge) {
    return table.get(edge.key()).isPresent();
  }

  private List<Follow> missing(Collection<Follow> edges) {
    var keys = edges.stream().map(Follow::key).toList();
    var stored = table.getAll(keys, true).stream().map(Row::key).toList();
    return edges.stream().filter(edge -> !stored.contains(edge.key())).toList();
  }
}
