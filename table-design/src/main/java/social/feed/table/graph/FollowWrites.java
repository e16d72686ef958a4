package social.feed.table.graph;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.schema.RecordSchema;
import social.feed.table.schema.RowCodec;
import social.feed.table.store.Cancellations;
import social.feed.table.store.Conditions;
import social.feed.table.store.SetExpression;
import social.feed.table.store.Table;
import social.feed.table.store.ThrottledException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
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
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
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
   * Unfollows. One read unit and six write units, one more when the wish about the history has to
   * be noted on the edge first, where the stream will find it.
   *
   * @param keepHistory whether the posts so far stay in the follower's feed
   * @return whether there was an edge
   * @throws ThrottledException when others keep changing the same quota
   */
  public boolean unfollow(String followerId, String followeeId, boolean keepHistory) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var refused =
          transact(
              List.of(delete(followerId, followeeId, keepHistory), replace(quota(followerId), -1)));
      if (refused.isEmpty()) {
        return true;
      }
      var edge = refused.get().getFirst();
      if (edge.hasItem()) {
        noteHistory(followerId, followeeId, keepHistory);
      } else if (failedCondition(edge)) {
        return false;
      } else {
        table.backoff().await(attempt);
      }
    }
    throw new ThrottledException("Follow quota of " + followerId, 1, attempts());
  }

  /**
   * Takes over edges from elsewhere, all or none, with the quotas of their followers. Edges that
   * are there already stay as they are. One read unit an edge and a follower; four write units an
   * edge and two a follower.
   *
   * @param edges none twice; at most {@value #MAX_ADOPTED} together with their distinct followers
   * @return how many edges were new
   * @throws FollowCapException when a follower would have more edges than are allowed
   */
  public int adopt(List<Follow> edges) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var missing = missing(edges);
      if (missing.isEmpty()) {
        return 0;
      }
      var writes = missing.stream().map(this::put);
      if (transact(Stream.concat(writes, quotasWith(missing)).toList()).isEmpty()) {
        return missing.size();
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Follow quotas", edges.size(), attempts());
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

  private Stream<FollowQuota> quotas(Set<String> userIds) {
    var stored =
        table.getAll(userIds.stream().map(FollowQuota::key).toList(), true).stream()
            .map(FollowQuota.class::cast)
            .collect(Collectors.toMap(FollowQuota::userId, quota -> quota));
    return userIds.stream().map(id -> stored.getOrDefault(id, FollowQuota.none(id)));
  }

  private void noteHistory(String followerId, String followeeId, boolean keepHistory) {
    var update = new SetExpression().set(Follow.KEEP_HISTORY, AttributeValue.fromBool(keepHistory));
    try {
      table
          .client()
          .updateItem(
              update
                  .request()
                  .tableName(table.name())
                  .key(KeyAttributes.of(Follow.key(followerId, followeeId)))
                  .build());
    } catch (ConditionalCheckFailedException e) {
      // Unfollowed meanwhile; the next attempt finds no edge.
      return;
    }
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

  private TransactWriteItem delete(String followerId, String followeeId, boolean keepHistory) {
    var request =
        Delete.builder()
            .tableName(table.name())
            .key(KeyAttributes.of(Follow.key(followerId, followeeId)))
            .conditionExpression("#keep = :keep")
            .expressionAttributeNames(Map.of("#keep", Follow.KEEP_HISTORY))
            .expressionAttributeValues(Map.of(":keep", AttributeValue.fromBool(keepHistory)))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    return TransactWriteItem.builder().delete(request).build();
  }
}
