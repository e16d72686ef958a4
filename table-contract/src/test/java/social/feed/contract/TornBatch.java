package social.feed.contract;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.Key;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Makes one batch read return one item from before a change and the others from after it, since a
 * batch read is not a snapshot.
 */
final class TornBatch implements Wire {
  private final Map<String, AttributeValue> early;
  private final Runnable between;
  private boolean happened;

  TornBatch(Key early, Runnable between) {
    this.early = KeyAttributes.of(early);
    this.between = between;
  }

  boolean happened() {
    return happened;
  }

  @Override
  @SuppressWarnings("unchecked") // The rebuilt response has the type of the original.
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    if (happened
        || !(request instanceof BatchGetItemRequest batch)
        || !batch.requestItems().values().iterator().next().keys().contains(early)) {
      return table.apply(request);
    }
    happened = true;
    var before = (BatchGetItemResponse) table.apply(request);
    between.run();
    var after = (BatchGetItemResponse) table.apply(request);
    var name = batch.requestItems().keySet().iterator().next();
    var torn =
        Stream.concat(
                items(before, name).filter(this::isEarly),
                items(after, name).filter(item -> !isEarly(item)))
            .toList();
    return (A) after.toBuilder().responses(Map.of(name, torn)).build();
  }

  private static Stream<Map<String, AttributeValue>> items(
      BatchGetItemResponse response, String table) {
    return response.responses().getOrDefault(table, List.of()).stream();
  }

  private boolean isEarly(Map<String, AttributeValue> item) {
    return item.entrySet().containsAll(early.entrySet());
  }
}
