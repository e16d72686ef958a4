package social.feed.benchmarks;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A function that consists of its calls only: for each event one GetItem and one UpdateItem, the
 * calls that count a like, with the client that the multiplexer uses. It has no framework, no table
 * declaration and no plan.
 */
public final class BareFunction
    implements RequestHandler<DynamodbTimeWindowEvent, TimeWindowEventResponse> {
  private final DynamoDbClient client =
      DynamoDbClient.builder().httpClientBuilder(Apache5HttpClient.builder()).build();

  @Override
  public TimeWindowEventResponse handleRequest(DynamodbTimeWindowEvent event, Context context) {
    var table = System.getenv("BARE_TABLE");
    // The keys of the record are those of an item, so this class needs no attribute names.
    var key = new HashMap<String, AttributeValue>();
    event
        .getRecords()
        .getFirst()
        .getDynamodb()
        .getKeys()
        .forEach((name, value) -> key.put(name, AttributeValue.fromS("bare" + value.getS())));
    client.getItem(g -> g.tableName(table).key(key));
    client.updateItem(
        u ->
            u.tableName(table)
                .key(key)
                .updateExpression("ADD counted :n")
                .expressionAttributeValues(Map.of(":n", AttributeValue.fromN("1"))));
    var response = new TimeWindowEventResponse();
    response.setState(event.getState());
    response.setBatchItemFailures(List.of());
    return response;
  }
}
