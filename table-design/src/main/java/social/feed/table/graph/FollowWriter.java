package social.feed.table.graph;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.graph.UnfollowOutcome.KeepsTooMany;
import social.feed.table.graph.UnfollowOutcome.NotFollowing;
import social.feed.table.graph.UnfollowOutcome.TooManyToday;
import social.feed.table.graph.UnfollowOutcome.TooSoon;
import social.feed.table.graph.UnfollowOutcome.Unfollowed;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Changes of follow edges. Each edge is written in one transaction with the follower's quota, which
 * is replaced only while it still is the one that was read: the cap holds under concurrency, and
 * the number of followed accounts is exact at every moment.
 */
public final class FollowWriter {
  /** DynamoDB's bound on the items of a transaction. */
  public static final int MAX_ADOPTED = 100;

  private static final RecordSchema<FollowQuota> QUOTA = RecordSchema.of(FollowQuota.class);

  private final Table table;
  private final GraphTransactions transactions;
  private final PartitionQueries partitions;
  private final long cap;
  private final long keptCap;
  private final FollowRateLimit pace;

  /**
   * With any pace: for whoever imports and repairs.
   *
   * @param cap the most accounts that one user may follow
   */
  public FollowWriter(Table table, long cap) {
    this(table, cap, Long.MAX_VALUE, FollowRateLimit.ANY);
  }

  /**
   * @param cap the most accounts that one user may follow
   * @param keptCap the most accounts that one user may unfollow and keep the past of
   * @param pace how fast {@link #follow} and {@link #leave} may be repeated
   */
  public FollowWriter(Table table, long cap, long keptCap, FollowRateLimit pace) {
    this.table = table;
    this.transactions = new GraphTransactions(table);
    this.partitions = new PartitionQueries(table);
    this.cap = cap;
    this.keptCap = keptCap;
    this.pace = pace;
  }

  /**
   * Follows, unless one of the two blocks the other. Three read units; six write units: the edge
   * and the quota at twice one in a transaction, and both indexes of the edge. A block writes the
   * quotas of both sides, and blocks are looked for after the quota was read: one that is not seen
   * changes the quota before the edge is written, which is then refused.
   *
   * @throws ThrottledException when others keep changing the same quota
   */
  public FollowOutcome follow(Follow edge) {
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var quota = quota(edge.followerId());
      if (!blocked(List.of(edge), List.of(quota)).isEmpty()) {
        return FollowOutcome.BLOCKED;
      }
      if (quota.following() >= cap) {
        return exists(edge) ? FollowOutcome.ALREADY_FOLLOWING : FollowOutcome.CAP_REACHED;
      }
      var today = pace.isAny() ? quota : quota.on(edge.createdAt()).followedOnce();
      if (today.follows() > pace.followsADay()) {
        return exists(edge) ? FollowOutcome.ALREADY_FOLLOWING : FollowOutcome.TOO_MANY_TODAY;
      }
      var refused = transactions.commit(List.of(transactions.insert(edge), replace(today, 1)));
      if (refused.isEmpty()) {
        return FollowOutcome.FOLLOWED;
      }
      if (GraphTransactions.failedCondition(refused, 0)) {
        return FollowOutcome.ALREADY_FOLLOWING;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Follow quota of " + edge.followerId(), 1, attempts());
  }

  /**
   * Unfollows as people do, within the pace. Three read units and six write units, two more to keep
   * the past or to end keeping it, and two more where the follow was special. To keep it takes
   * besides a read unit for each twenty accounts of whom the past is kept already: those are
   * counted each time, between the quota and its next version, so that the cap holds under
   * concurrency.
   *
   * @param keepsHistory whether what the feed holds of the account so far stays
   * @throws ThrottledException when others keep changing the same quota
   */
  public UnfollowOutcome leave(
      String followerId, String followeeId, boolean keepsHistory, Instant now) {
    return end(followerId, followeeId, keepsHistory, now, pace);
  }

  /**
   * Unfollows at any pace; what the feed holds of the account goes. Costs as {@link #leave}.
   *
   * @return whether there was an edge
   * @throws ThrottledException when others keep changing the same quota
   */
  public boolean unfollow(String followerId, String followeeId) {
    return end(followerId, followeeId, false, Instant.EPOCH, FollowRateLimit.ANY)
        instanceof Unfollowed;
  }

  /**
   * Unfollows at any pace; what the feed holds of the account so far stays. Costs as {@link
   * #leave}.
   *
   * @param now until when the account's posts are kept
   * @return whether there was an edge
   * @throws ThrottledException when others keep changing the same quota
   */
  public boolean unfollowKeepingHistory(String followerId, String followeeId, Instant now) {
    return end(followerId, followeeId, true, now, FollowRateLimit.ANY) instanceof Unfollowed;
  }

  private UnfollowOutcome end(
      String followerId,
      String followeeId,
      boolean keepsHistory,
      Instant now,
      FollowRateLimit limits) {
    var key = Follow.key(followerId, followeeId);
    var kept = RetainedPosts.key(followerId, followeeId);
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      // The quota first: each change of the rest changes it, so that none of them is overlooked.
      var quota = quota(followerId);
      var rows = table.getAll(List.of(key, kept), true);
      var today = today(quota, now, limits);
      var refused = refused(rows, today, now, limits);
      if (refused.isPresent()) {
        return refused.get();
      }
      var rest = today.unmarking(followeeId);
      var writes = new ArrayList<>(List.of(transactions.delete(key), replace(rest, -1)));
      if (!rest.equals(today)) {
        writes.add(transactions.clear(SpecialFollower.key(followerId, followeeId)));
      }
      if (keepsHistory && keepsTooMany(followerId, rows)) {
        return new KeepsTooMany();
      }
      if (keepsHistory) {
        var since = since(rows).orElse(now);
        writes.add(transactions.put(new RetainedPosts(followerId, followeeId, since, now)));
      } else if (rows.stream().anyMatch(RetainedPosts.class::isInstance)) {
        writes.add(transactions.delete(kept));
      }
      if (transactions.commit(writes).isEmpty()) {
        return new Unfollowed();
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("The end of " + key, 1, attempts());
  }

  /** What is kept of the same account already is only brought up to date. */
  private boolean keepsTooMany(String followerId, List<Row> rows) {
    return keptCap < Long.MAX_VALUE
        && rows.stream().noneMatch(RetainedPosts.class::isInstance)
        && partitions.keys(Keys.user(followerId), Keys.KEPT).mapToLong(List::size).sum() >= keptCap;
  }

  private static Optional<UnfollowOutcome> refused(
      List<Row> rows, FollowQuota today, Instant now, FollowRateLimit limits) {
    var edge = rows.stream().filter(Follow.class::isInstance).map(Follow.class::cast).findAny();
    if (edge.isEmpty()) {
      return Optional.of(new NotFollowing());
    }
    var from = edge.get().createdAt().plus(limits.coolDown());
    if (!limits.isAny() && from.isAfter(now)) {
      return Optional.of(new TooSoon(from));
    }
    return today.unfollows() > limits.unfollowsADay()
        ? Optional.of(new TooManyToday(FollowRateLimit.nextDay(now)))
        : Optional.empty();
  }

  /** The quota with an unfollow more of its day, where those are counted. */
  private static FollowQuota today(FollowQuota quota, Instant now, FollowRateLimit limits) {
    return limits.isAny() ? quota : quota.on(now).unfollowedOnce();
  }

  /** How far back the feed holds posts, by the edge and by what an earlier unfollow kept. */
  private static Optional<Instant> since(List<Row> rows) {
    return rows.stream()
        .<Instant>mapMulti(
            (row, since) -> {
              if (row instanceof Follow edge) {
                since.accept(edge.fedSince());
              } else if (row instanceof RetainedPosts kept) {
                since.accept(kept.since());
              }
            })
        .min(Instant::compareTo);
  }

  /**
   * Takes over edges from elsewhere, all or none, with the quotas of their followers. Edges that
   * are there already stay as they are, and those across a block are left out, as {@link #follow}
   * does it. It is tried as if all were new; only when that is refused the edges are read. One read
   * unit a follower, two an edge of somebody who followed or blocked before, and one more where
   * some edges are there; four write units an edge and two a follower.
   *
   * @param edges none twice; at most {@value #MAX_ADOPTED} together with their distinct followers
   * @return how many edges were new
   * @throws FollowCapException when a follower would have more edges than are allowed
   */
  public int adopt(List<Follow> edges) {
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var missing = attempt == 1 ? edges : missing(edges);
      var quotas = quotas(missing);
      var blocked = blocked(missing, quotas);
      var allowed = missing.stream().filter(edge -> !blocked.contains(edge.key())).toList();
      if (allowed.isEmpty()) {
        return 0;
      }
      if (tryToAdopt(allowed, quotas, attempt == 1)) {
        return allowed.size();
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Follow quotas", edges.size(), attempts());
  }

  /**
   * The keys of those edges that lie across a block.
   *
   * @param quotas of the followers, read before; a block writes them, so who has none is in no
   *     block
   */
  private Set<Key> blocked(List<Follow> edges, List<FollowQuota> quotas) {
    var known =
        quotas.stream()
            .filter(quota -> quota.version() > 0)
            .map(FollowQuota::userId)
            .collect(Collectors.toSet());
    var candidates = edges.stream().filter(edge -> known.contains(edge.followerId())).toList();
    var blocks =
        table.getAll(candidates.stream().flatMap(FollowWriter::blocks).toList(), true).stream()
            .map(Row::key)
            .collect(Collectors.toSet());
    return candidates.stream()
        .filter(edge -> blocks(edge).anyMatch(blocks::contains))
        .map(Follow::key)
        .collect(Collectors.toSet());
  }

  private static Stream<Key> blocks(Follow edge) {
    return Stream.of(
        Block.key(edge.followerId(), edge.followeeId()),
        BlockedBy.key(edge.followerId(), edge.followeeId()));
  }

  /**
   * Writes edges with the quotas of their followers.
   *
   * @param isGuess whether some may be there, so that a broken cap says nothing yet
   */
  private boolean tryToAdopt(List<Follow> edges, List<FollowQuota> quotas, boolean isGuess) {
    try {
      var replaced = replace(quotas, edges);
      return transactions
          .commit(Stream.concat(edges.stream().map(transactions::insert), replaced).toList())
          .isEmpty();
    } catch (FollowCapException e) {
      if (isGuess) {
        return false;
      }
      throw e;
    }
  }

  /** How many accounts a user follows, exactly. One read unit. */
  public FollowQuota quota(String userId) {
    return table
        .get(FollowQuota.key(userId))
        .map(QUOTA::mapToItem)
        .orElseGet(() -> FollowQuota.none(userId));
  }

  private int attempts() {
    return table.backoff().attempts();
  }

  private boolean exists(Follow edge) {
    return table.get(edge.key()).isPresent();
  }

  private List<Follow> missing(Collection<Follow> edges) {
    var keys = edges.stream().map(Follow::key).toList();
    var there = table.getAll(keys, true).stream().map(row -> row.key()).toList();
    return edges.stream().filter(edge -> !there.contains(edge.key())).toList();
  }

  private Stream<TransactWriteItem> replace(List<FollowQuota> quotas, List<Follow> added) {
    var edgesOf =
        added.stream().collect(Collectors.groupingBy(Follow::followerId, Collectors.counting()));
    return quotas.stream()
        .filter(quota -> edgesOf.containsKey(quota.userId()))
        .map(quota -> replace(quota, edgesOf.getOrDefault(quota.userId(), 0L)));
  }

  private List<FollowQuota> quotas(List<Follow> edges) {
    var followers = edges.stream().map(Follow::followerId).distinct().toList();
    var stored =
        table.getAll(followers.stream().map(FollowQuota::key).toList(), true).stream()
            .map(FollowQuota.class::cast)
            .collect(Collectors.toMap(FollowQuota::userId, quota -> quota));
    return followers.stream().map(id -> stored.getOrDefault(id, FollowQuota.none(id))).toList();
  }

  private TransactWriteItem replace(FollowQuota quota, long edges) {
    if (edges > 0 && quota.following() + edges > cap) {
      throw new FollowCapException(quota.userId(), quota.following(), edges, cap);
    }
    return transactions.replace(quota, edges);
  }
}
