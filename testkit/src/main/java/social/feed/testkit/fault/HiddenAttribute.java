package social.feed.testkit.fault;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/**
 * Leaves out an attribute of the items that are read by their keys, as a planted bug.
 *
 * @param name the attribute
 */
public record HiddenAttribute(String name) implements Wire {
  @Override
  @SuppressWarnings("unchecked") // A rebuilt answer has the type of the original.
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    A answer = table.apply(request);
    return switch (answer) {
      case GetItemResponse get when get.hasItem() ->
          (A) get.toBuilder().item(without(get.item())).build();
      case BatchGetItemResponse get -> {
        var responses = new HashMap<>(get.responses());
        responses.replaceAll((_, items) -> items.stream().map(this::without).toList());
        yield (A) get.toBuilder().responses(responses).build();
      }
      default -> answer;
    };
  }

  private Map<String, AttributeValue> without(Map<String, AttributeValue> item) {
    var rest = new HashMap<>(item);
    rest.remove(name);
    return rest;
  }
}
