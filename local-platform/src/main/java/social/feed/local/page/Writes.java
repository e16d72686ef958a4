package social.feed.local.page;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.trace.StoredContext;
import social.feed.table.row.Key;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The writes of a request. */
final class Writes {
  private Writes() {}

  /** What is written. */
  enum Kind {
    PUT,
    UPDATE,
    DELETE
  }

  /**
   * A write of an item.
   *
   * @param image the fingerprint of the whole item of a put, 0 otherwise
   */
  record Write(Kind kind, Key key, int image) {
    private static Write put(Map<String, AttributeValue> item) {
      return new Write(Kind.PUT, KeyAttributes.key(item), fingerprint(item));
    }

    private static Write update(Map<String, AttributeValue> key) {
      return new Write(Kind.UPDATE, KeyAttributes.key(key), 0);
    }

    private static Write delete(Map<String, AttributeValue> key) {
      return new Write(Kind.DELETE, KeyAttributes.key(key), 0);
    }
  }

  /**
   * Returns the same number for equal items. The stored context of a trace is left out, because a
   * client adds it after its request was seen here.
   */
  static int fingerprint(Map<String, AttributeValue> item) {
    var own = new HashMap<>(item);
    own.remove(StoredContext.ATTRIBUTE);
    return own.hashCode();
  }

  /** Returns the writes in the order of the request, none for a read. */
  static List<Write> of(SdkRequest request) {
    return switch (request) {
      case PutItemRequest r -> List.of(Write.put(r.item()));
      case UpdateItemRequest r -> List.of(Write.update(r.key()));
      case DeleteItemRequest r -> List.of(Write.delete(r.key()));
      case BatchWriteItemRequest r ->
          r.requestItems().values().stream().flatMap(List::stream).map(Writes::of).toList();
      case TransactWriteItemsRequest r ->
          r.transactItems().stream().flatMap(item -> of(item).stream()).toList();
      case SdkRequest _ -> List.of();
    };
  }

  private static Write of(WriteRequest write) {
    return write.putRequest() == null
        ? Write.delete(write.deleteRequest().key())
        : Write.put(write.putRequest().item());
  }

  private static List<Write> of(TransactWriteItem item) {
    return Stream.of(
            Optional.ofNullable(item.put()).map(put -> Write.put(put.item())),
            Optional.ofNullable(item.update()).map(update -> Write.update(update.key())),
            Optional.ofNullable(item.delete()).map(delete -> Write.delete(delete.key())))
        .flatMap(Optional::stream)
        .toList();
  }
}
