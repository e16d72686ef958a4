package social.feed.streams;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** A planted fault: writes that would remove an account from some rows succeed without effect. */
final class IgnoredWrites implements Wire {
  private final Set<Key> rows = ConcurrentHashMap.newKeySet();

  void ignore(Collection<Key> keys) {
    rows.addAll(keys);
  }

  /** From now on all writes have their effect. */
  void repair() {
    rows.clear();
  }

  @Override
  @SuppressWarnings("unchecked") // The response has the type of its request.
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    return switch (request) {
      case DeleteItemRequest delete when isIgnored(delete.key()) ->
          (A) DeleteItemResponse.builder().build();
      case PutItemRequest put when isIgnored(put.item()) -> (A) PutItemResponse.builder().build();
      // An erasure does not write counters.
      case UpdateItemRequest update
          when isIgnored(update.key())
              && update.expressionAttributeNames().containsValue(Post.MENTIONS) ->
          (A) UpdateItemResponse.builder().build();
      case TransactWriteItemsRequest all
          when all.transactItems().stream().anyMatch(this::isIgnored) ->
          (A) TransactWriteItemsResponse.builder().build();
      case BatchWriteItemRequest all -> send(all, request, table);
      default -> table.apply(request);
    };
  }

  @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
  private <Q, A> A send(BatchWriteItemRequest all, Q request, Function<Q, A> table) {
    var items = all.requestItems().entrySet().iterator().next();
    List<WriteRequest> rest =
        items.getValue().stream()
            .filter(
                write -> write.deleteRequest() == null || !isIgnored(write.deleteRequest().key()))
            .toList();
    if (rest.isEmpty()) {
      return (A) BatchWriteItemResponse.builder().build();
    }
    return table.apply((Q) all.toBuilder().requestItems(Map.of(items.getKey(), rest)).build());
  }

  private boolean isIgnored(TransactWriteItem write) {
    return (write.delete() != null && isIgnored(write.delete().key()))
        || (write.put() != null && isIgnored(write.put().item()))
        || (write.update() != null && isIgnored(write.update().key()));
  }

  private boolean isIgnored(Map<String, AttributeValue> item) {
    return rows.contains(KeyAttributes.key(item));
  }
}
