package social.feed.testkit.cost;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.cost.ItemSize;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/**
 * Returns the bytes of the items that a page evaluates, before filter and projection. DynamoDB
 * bills these, also for a count. Reads the page again where the response lacks them.
 */
public final class EvaluatedItems {
  private EvaluatedItems() {}

  /** Returns the bytes of a page of a query. */
  public static long bytes(DynamoDbClient reader, QueryRequest request, QueryResponse response) {
    if (isWhole(request.filterExpression(), request.projectionExpression(), request.select())) {
      return bytes(response.items());
    }
    if (response.scannedCount() == 0) {
      return 0;
    }
    var names = new HashMap<>(request.expressionAttributeNames());
    names.keySet().removeIf(name -> !request.keyConditionExpression().contains(name));
    var values = new HashMap<>(request.expressionAttributeValues());
    values.keySet().removeIf(name -> !request.keyConditionExpression().contains(name));
    var whole =
        request.toBuilder()
            .filterExpression(null)
            .projectionExpression(null)
            .select((String) null)
            .limit(response.scannedCount())
            .expressionAttributeNames(names.isEmpty() ? null : names)
            .expressionAttributeValues(values)
            .build();
    return bytes(Bill.free(() -> reader.query(whole).items()));
  }

  /** Returns the bytes of a page of a scan. */
  public static long bytes(DynamoDbClient reader, ScanRequest request, ScanResponse response) {
    if (isWhole(request.filterExpression(), request.projectionExpression(), request.select())) {
      return bytes(response.items());
    }
    if (response.scannedCount() == 0) {
      return 0;
    }
    var whole =
        request.toBuilder()
            .filterExpression(null)
            .projectionExpression(null)
            .select((String) null)
            .limit(response.scannedCount())
            .expressionAttributeNames(null)
            .expressionAttributeValues(null)
            .build();
    return bytes(Bill.free(() -> reader.scan(whole).items()));
  }

  private static boolean isWhole(
      @Nullable String filter, @Nullable String projection, @Nullable Select select) {
    return filter == null && projection == null && select != Select.COUNT;
  }

  private static long bytes(List<Map<String, AttributeValue>> items) {
    return items.stream().mapToLong(ItemSize::of).sum();
  }
}
