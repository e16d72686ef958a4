package social.feed.testkit.fault;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import social.feed.table.kernel.declaration.BaseTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Reads that return the state of a replica. A batch read returns the items of the replica, without
 * new items and with deleted ones. An index query omits items that the replica does not contain
 * yet. The simulation leaves out the opposite case, in which a query returns deleted items.
 */
record StaleReads(Replica replica) {
  static boolean isEventual(DynamoDbRequest request) {
    return request instanceof BatchGetItemRequest get
        && get.requestItems().values().stream().noneMatch(StaleReads::isStrong);
  }

  static boolean isOfIndex(DynamoDbRequest request) {
    return request instanceof QueryRequest query && query.indexName() != null;
  }

  private static boolean isStrong(KeysAndAttributes keys) {
    return Boolean.TRUE.equals(keys.consistentRead());
  }

  @SuppressWarnings("unchecked") // The rebuilt response has the type of the original.
  <Q extends DynamoDbRequest, A> A read(Q request, Function<Q, A> table) {
    var answer = (BatchGetItemResponse) table.apply(request);
    var get = (BatchGetItemRequest) request;
    var name = get.requestItems().keySet().iterator().next();
    List<Map<String, AttributeValue>> seen =
        get.requestItems().values().iterator().next().keys().stream()
            .map(replica::at)
            .flatMap(Optional::stream)
            .toList();
    return (A) answer.toBuilder().responses(Map.of(name, seen)).build();
  }

  @SuppressWarnings("unchecked") // The rebuilt response has the type of the original.
  <Q extends DynamoDbRequest, A> A query(Q request, Function<Q, A> table) {
    var answer = (QueryResponse) table.apply(request);
    var seen = answer.items().stream().filter(this::isInReplica).toList();
    return (A) answer.toBuilder().items(seen).count(seen.size()).build();
  }

  private boolean isInReplica(Map<String, AttributeValue> item) {
    return replica
        .at(
            Map.of(
                BaseTable.PK, item.getOrDefault(BaseTable.PK, AttributeValue.fromS("")),
                BaseTable.SK, item.getOrDefault(BaseTable.SK, AttributeValue.fromS(""))))
        .isPresent();
  }
}
