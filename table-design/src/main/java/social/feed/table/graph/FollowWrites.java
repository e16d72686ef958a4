package social.feed.table.graph;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.KeptHistory;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.schema.RecordSchema;
import social.feed.table.schema.RowCodec;
import social.feed.table.store.Cancellations;
import social.feed.table.store.Conditions;
import social.feed.table.store.Table;
import social.feed.table.store.ThrottledException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Changes of follow edges. Each edge is written in one transaction with the follower's quota, which
 * is replaced only while it still is the one that was read: the cap holds under concurrency, and
 * the number of followed accounts is exact at every moment.
 */
public final class FollowWrites {
  /** DynamoDB's bound on the items of a transaction. */
  public static final int MAX_ADOPTED = 100;

  private static final RecordSchema<FollowQuota> QUOTA = RecordSchema.of(FollowQuota.class);

  private final Table table;
  private final long cap;

  /**
   * @param cap the most accounts that one user may follow
   */
  public FollowWrites(Table table, long cap) {
    this.table = table;
    this.cap = cap;
  }

  /**
   * Follows. One read unit; six write units: the edge and the quota at twice one in a transaction,
   * and both indexes of the edge.
   *
   * @throws ThrottledException when others keep changing the same quota
   */
  public FollowOutcome follow(Follow edge) {
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var quota = quota(edge.followerId());
      if (quota.following() >= cap) {
        return exists(edge) ? FollowOutcome.ALREADY_FOLLOWING : FollowOutcome.CAP_REACHED;
      }
      var refused = transact(List.of(put(edge), replace(quota, 1)));
      if (refused.isEmpty()) {
        return FollowOutcome.FOLLOWED;
      }
      if (refused.get().getFirst().hasItem()) {
        return FollowOutcome.ALREADY_FOLLOWING;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Follow quota of " + edge.followerId(), 1, attempts());
  }

  /**
   * Unfollows; what the feed holds of the account goes. Two read units and six write units, two
   * more where an earlier unfollow had kept the past.
   *
   * @return whether there was an edge
   * @throws ThrottledException when others keep changing the same quota
   */
  public boolean unfollow(String followerId, String followeeId) {
    return end(
        Follow.key(followerId, followeeId),
        () -> {
          var kept = KeptHistory.key(followerId, followeeId);
          var rows = table.getAll(List.of(FollowQuota.key(followerId), kept), true);
          var writes = new ArrayList<>(List.of(replace(among(rows, followerId), -1)));
          rows.stream()
              .filter(KeptHistory.class::isInstance)
              .forEach(_ -> writes.add(delete(kept)));
          return writes;
        });
  }

  /**
   * Unfollows; what the feed holds of the account so far stays. Three read units and eight write
   * units.
   *
   * @param now until when the account's posts are kept
   * @return whether there was an edge
   * @throws ThrottledException when others keep changing the same quota
   */
  public boolean unfollowKeepingHistory(String followerId, String followeeId, Instant now) {
    var edge = Follow.key(followerId, followeeId);
    var kept = KeptHistory.key(followerId, followeeId);
    return end(
        edge,
        () -> {
          var rows = table.getAll(List.of(FollowQuota.key(followerId), edge, kept), true);
          var history = new KeptHistory(followerId, followeeId, since(rows).orElse(now), now);
          var put = Put.builder().item(RowCodec.encode(history));
          return List.of(replace(among(rows, followerId), -1), put(put));
        });
  }

  /** How far back the feed holds posts, by the edge and by what an earlier unfollow kept. */
  private static Optional<Instant> since(List<Row> rows) {
    return rows.stream()
        .<Instant>mapMulti(
            (row, since) -> {
              if (row instanceof Follow edge) {
                since.accept(edge.fedSince());
              } else if (row instanceof KeptHistory kept) {
                since.accept(kept.since());
              }
            })
        .min(Instant::compareTo);
  }

  /** Removes an edge together with other writes, which are made anew for each attempt. */
  private boolean end(Key edge, Supplier<List<TransactWriteItem>> others) {
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var writes = Stream.concat(Stream.of(delete(edge)), others.get().stream()).toList();
      var refused = transact(writes);
      if (refused.isEmpty()) {
        return true;
      }
      if (failedCondition(refused.get().getFirst())) {
        return false;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("The end of " + edge, 1, attempts());
  }

  /**
   * Takes over edges from elsewhere, all or none, with the quotas of their followers. Edges that
   * are there already stay as they are. It is tried as if all were new; only when that is refused
   * the edges are read. One read unit a follower, and an edge where some are there; four write
   * units an edge and two a follower.
   *
   * @param edges none twice; at most {@value #MAX_ADOPTED} together with their distinct followers
   * @return how many edges were new
   * @throws FollowCapException when a follower would have more edges than are allowed
   */
  public int adopt(List<Follow> edges) {
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var missing = attempt == 1 ? edges : missing(edges);
      if (missing.isEmpty()) {
        return 0;
      }
      if (tryToAdopt(missing, attempt == 1)) {
        return missing.size();
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Follow quotas", edges.size(), attempts());
  }

  /**
   * Writes edges with the quotas of their followers.
   *
   * @param isGuess whether some may be there, so that a broken cap says nothing yet
   */
  private boolean tryToAdopt(List<Follow> edges, boolean isGuess) {
    try {
      return transact(Stream.concat(edges.stream().map(this::put), quotasWith(edges)).toList())
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

  private Stream<TransactWriteItem> quotasWith(List<Follow> added) {
    var edgesOf =
        added.stream().collect(Collectors.groupingBy(Follow::followerId, Collectors.counting()));
    return quotas(edgesOf.keySet())
        .map(quota -> replace(quota, edgesOf.getOrDefault(quota.userId(), 0L)));
  }

  private static FollowQuota among(List<Row> rows, String userId) {
    return rows.stream()
        .filter(FollowQuota.class::isInstance)
        .map(FollowQuota.class::cast)
        .findAny()
        .orElseGet(() -> FollowQuota.none(userId));
  }

  private Stream<FollowQuota> quotas(Set<String> userIds) {
    var stored =
        table.getAll(userIds.stream().map(FollowQuota::key).toList(), true).stream()
            .map(FollowQuota.class::cast)
            .collect(Collectors.toMap(FollowQuota::userId, quota -> quota));
    return userIds.stream().map(id -> stored.getOrDefault(id, FollowQuota.none(id)));
  }

  /** Empty when it was done, or why not, in the order of the writes. */
  private Optional<List<CancellationReason>> transact(List<TransactWriteItem> writes) {
    try {
      table.client().transactWriteItems(t -> t.transactItems(writes));
      return Optional.empty();
    } catch (TransactionCanceledException e) {
      return Optional.of(Cancellations.requirePassing(e));
    }
  }

  private static boolean failedCondition(CancellationReason reason) {
    return "ConditionalCheckFailed".equals(reason.code());
  }

  private TransactWriteItem put(Follow edge) {
    return put(Put.builder().item(RowCodec.encode(edge)).conditionExpression(Conditions.ABSENT));
  }

  private TransactWriteItem replace(FollowQuota quota, long edges) {
    if (edges > 0 && quota.following() + edges > cap) {
      throw new FollowCapException(quota.userId(), quota.following(), edges, cap);
    }
    var put = Put.builder().item(RowCodec.encode(quota.plus(edges)));
    if (quota.version() == 0) {
      return put(put.conditionExpression(Conditions.ABSENT));
    }
    return put(
        put.conditionExpression("#version = :version")
            .expressionAttributeNames(Map.of("#version", FollowQuota.VERSION))
            .expressionAttributeValues(
                Map.of(":version", AttributeValue.fromN(Long.toString(quota.version())))));
  }

  private TransactWriteItem put(Put.Builder put) {
    var request =
        put.tableName(table.name())
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    return TransactWriteItem.builder().put(request).build();
  }

  private TransactWriteItem delete(Key key) {
    var request =
        Delete.builder()
            .tableName(table.name())
            .key(KeyAttributes.of(key))
            .conditionExpression(Conditions.PRESENT)
            .build();
    return TransactWriteItem.builder().delete(request).build();
  }
}
