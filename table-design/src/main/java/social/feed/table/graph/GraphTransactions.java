package social.feed.table.graph;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** The transactions of edges, quotas and blocks. Each item of one counts two write units. */
final class GraphTransactions {
  private final Table table;

  GraphTransactions(Table table) {
    this.table = table;
  }

  /** Why nothing was done, in the order of the writes; empty when all was. */
  List<CancellationReason> commit(List<TransactWriteItem> writes) {
    try {
      table.client().transactWriteItems(t -> t.transactItems(writes));
      return List.of();
    } catch (TransactionCanceledException e) {
      return TransactionCancellations.requirePassing(e);
    }
  }

  /** Whether the condition of one of the writes did not hold. */
  static boolean failedCondition(List<CancellationReason> reasons, int write) {
    return TransactionCancellations.failedCondition(reasons.get(write));
  }

  /** Writes a row, whatever was there. */
  TransactWriteItem put(Row row) {
    return item(Put.builder().item(RowCodec.encode(row)));
  }

  /** Writes a row where there is none. */
  TransactWriteItem insert(Row row) {
    return item(Put.builder().item(RowCodec.encode(row)).conditionExpression(Conditions.ABSENT));
  }

  /** Writes a row where there is one. */
  TransactWriteItem update(Row row) {
    return item(Put.builder().item(RowCodec.encode(row)).conditionExpression(Conditions.PRESENT));
  }

  /** Deletes a row that is there. */
  TransactWriteItem delete(Key key) {
    return item(
        Delete.builder().key(KeyAttributes.of(key)).conditionExpression(Conditions.PRESENT));
  }

  /** Deletes what is at a key; there may be nothing. */
  TransactWriteItem clear(Key key) {
    return item(Delete.builder().key(KeyAttributes.of(key)));
  }

  /** Notes on an edge that is there since when it is a special one. */
  TransactWriteItem markSpecial(Key edge, Instant since) {
    var value = AttributeValue.fromS(Timestamps.format(since));
    return item(
        Update.builder()
            .key(KeyAttributes.of(edge))
            .updateExpression("SET #special = :since")
            .expressionAttributeValues(Map.of(":since", value)));
  }

  /** Makes an edge that is there one like any other. */
  TransactWriteItem unmarkSpecial(Key edge) {
    return item(Update.builder().key(KeyAttributes.of(edge)).updateExpression("REMOVE #special"));
  }

  /**
   * Replaces a quota by its next version while it still is the one that was read.
   *
   * @param edges how many more there are, or fewer
   */
  TransactWriteItem replace(FollowQuota quota, long edges) {
    var put = Put.builder().item(RowCodec.encode(quota.plus(edges)));
    if (quota.version() == 0) {
      return item(put.conditionExpression(Conditions.ABSENT));
    }
    return item(
        put.conditionExpression("#version = :version")
            .expressionAttributeNames(Map.of("#version", FollowQuota.VERSION))
            .expressionAttributeValues(
                Map.of(":version", AttributeValue.fromN(Long.toString(quota.version())))));
  }

  private TransactWriteItem item(Put.Builder put) {
    return TransactWriteItem.builder().put(put.tableName(table.name()).build()).build();
  }

  private TransactWriteItem item(Update.Builder update) {
    return TransactWriteItem.builder()
        .update(
            update
                .tableName(table.name())
                .conditionExpression(Conditions.PRESENT)
                .expressionAttributeNames(Map.of("#special", Follow.SPECIAL_SINCE))
                .build())
        .build();
  }

  private TransactWriteItem item(Delete.Builder delete) {
    return TransactWriteItem.builder().delete(delete.tableName(table.name()).build()).build();
  }
}
