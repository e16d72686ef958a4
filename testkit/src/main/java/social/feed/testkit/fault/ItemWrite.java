package social.feed.testkit.fault;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * What a request does to one item.
 *
 * @param key the key of the item
 * @param put the row that a put writes, and no other write
 */
record ItemWrite(Key key, Optional<Map<String, AttributeValue>> put, Change change) {

  enum Change {
    PUT,
    UPDATE,
    DELETE,
    CHECK
  }

  /** Returns the writes of a request that is no batch, in its order. */
  static List<ItemWrite> of(DynamoDbRequest request) {
    return switch (request) {
      case PutItemRequest put -> List.of(put(put.item()));
      case UpdateItemRequest update -> List.of(of(update.key(), Change.UPDATE));
      case DeleteItemRequest delete -> List.of(of(delete.key(), Change.DELETE));
      case TransactWriteItemsRequest transaction ->
          transaction.transactItems().stream().map(ItemWrite::of).toList();
      default -> throw new IllegalArgumentException("Not a write: " + request);
    };
  }

  /** Returns a write of a batch. */
  static ItemWrite of(WriteRequest write) {
    return write.putRequest() == null
        ? of(write.deleteRequest().key(), Change.DELETE)
        : put(write.putRequest().item());
  }

  private static ItemWrite of(TransactWriteItem write) {
    if (write.put() != null) {
      return put(write.put().item());
    }
    if (write.update() != null) {
      return of(write.update().key(), Change.UPDATE);
    }
    return write.delete() == null
        ? of(write.conditionCheck().key(), Change.CHECK)
        : of(write.delete().key(), Change.DELETE);
  }

  private static ItemWrite put(Map<String, AttributeValue> item) {
    return new ItemWrite(EventualReads.key(item), Optional.of(item), Change.PUT);
  }

  private static ItemWrite of(Map<String, AttributeValue> key, Change change) {
    return new ItemWrite(EventualReads.key(key), Optional.empty(), change);
  }
}
