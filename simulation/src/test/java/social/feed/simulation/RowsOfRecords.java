package social.feed.simulation;

import static java.util.Objects.requireNonNull;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.dynamodb.DynamodbAttributeValueTransformer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.Key;
import social.feed.table.row.RowKind;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/**
 * Answers reads of some kinds of rows with the last image that a record of the stream had of them,
 * as if the rows were not read again. A row that is gone still has the image before.
 */
final class RowsOfRecords implements Wire {
  private final Set<RowKind> kinds;
  private final Map<Key, Map<String, AttributeValue>> images = new HashMap<>();

  /**
   * @param kinds the rows that are not read again; any others are
   */
  RowsOfRecords(Set<RowKind> kinds) {
    this.kinds = kinds;
  }

  /** Keeps the new image of a record. */
  void keep(DynamodbStreamRecord received) {
    var change = received.getDynamodb();
    if (change.getNewImage() != null) {
      var image = DynamodbAttributeValueTransformer.toAttributeValueMapV2(change.getNewImage());
      if (kinds.contains(PlantedWires.kind(image))) {
        images.put(KeyAttributes.key(image), image);
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked") // A rebuilt answer has the type of the original.
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    A answer = table.apply(request);
    if (request instanceof GetItemRequest get && answer instanceof GetItemResponse response) {
      var image = images.get(KeyAttributes.key(get.key()));
      return image == null ? answer : (A) response.toBuilder().item(image).build();
    }
    if (request instanceof BatchGetItemRequest get
        && answer instanceof BatchGetItemResponse response) {
      var rows = new HashMap<>(response.responses());
      get.requestItems()
          .forEach(
              (name, wanted) ->
                  rows.compute(name, (_, found) -> replaced(wanted.keys(), requireNonNull(found))));
      return (A) response.toBuilder().responses(rows).build();
    }
    return answer;
  }

  private List<Map<String, AttributeValue>> replaced(
      List<Map<String, AttributeValue>> keys, List<Map<String, AttributeValue>> found) {
    var rows = new ArrayList<Map<String, AttributeValue>>();
    found.stream().filter(row -> !images.containsKey(KeyAttributes.key(row))).forEach(rows::add);
    keys.stream()
        .map(KeyAttributes::key)
        .filter(images::containsKey)
        .forEach(key -> rows.add(requireNonNull(images.get(key))));
    return rows;
  }
}
