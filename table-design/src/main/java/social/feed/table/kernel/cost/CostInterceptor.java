package social.feed.table.kernel.cost;

import java.util.List;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Requests the consumed capacity of every call and reports it to the bound {@link CostMeter}. A
 * failed call reports nothing, because DynamoDB does not return the capacity of a failed condition.
 */
public final class CostInterceptor implements ExecutionInterceptor {
  private static final ReturnConsumedCapacity TOTAL = ReturnConsumedCapacity.TOTAL;

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    CostMeter.reportCall();
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    return requesting(context.request());
  }

  /** A request that asks for it already is not copied. */
  static SdkRequest requesting(SdkRequest request) {
    if (request
        .getValueForField("ReturnConsumedCapacity", String.class)
        .filter(ReturnConsumedCapacity.TOTAL.toString()::equals)
        .isPresent()) {
      return request;
    }
    return switch (request) {
      case GetItemRequest r -> r.toBuilder().returnConsumedCapacity(TOTAL).build();
      case PutItemRequest r -> r.toBuilder().returnConsumedCapacity(TOTAL).build();
      case UpdateItemRequest r -> r.toBuilder().returnConsumedCapacity(TOTAL).build();
      case DeleteItemRequest r -> r.toBuilder().returnConsumedCapacity(TOTAL).build();
      case QueryRequest r -> r.toBuilder().returnConsumedCapacity(TOTAL).build();
      case ScanRequest r -> r.toBuilder().returnConsumedCapacity(TOTAL).build();
      case BatchGetItemRequest r -> r.toBuilder().returnConsumedCapacity(TOTAL).build();
      case BatchWriteItemRequest r -> r.toBuilder().returnConsumedCapacity(TOTAL).build();
      case TransactWriteItemsRequest r -> r.toBuilder().returnConsumedCapacity(TOTAL).build();
      case SdkRequest r -> r;
    };
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    units(context.response()).forEach(CostMeter::report);
  }

  /** Returns the units of a call, if it reported them. */
  static List<ConsumedUnits> units(SdkResponse response) {
    return switch (response) {
      case GetItemResponse r -> read(r.consumedCapacity());
      case QueryResponse r -> read(r.consumedCapacity());
      case ScanResponse r -> read(r.consumedCapacity());
      case BatchGetItemResponse r -> read(r.consumedCapacity().toArray(ConsumedCapacity[]::new));
      case PutItemResponse r -> write(r.consumedCapacity());
      case UpdateItemResponse r -> write(r.consumedCapacity());
      case DeleteItemResponse r -> write(r.consumedCapacity());
      case BatchWriteItemResponse r -> write(r.consumedCapacity().toArray(ConsumedCapacity[]::new));
      case TransactWriteItemsResponse r ->
          write(r.consumedCapacity().toArray(ConsumedCapacity[]::new));
      case SdkResponse _ -> List.of();
    };
  }

  private static List<ConsumedUnits> read(ConsumedCapacity... reported) {
    return List.of(reported).stream()
        .map(capacity -> new ConsumedUnits(capacity.capacityUnits(), 0))
        .toList();
  }

  private static List<ConsumedUnits> write(ConsumedCapacity... reported) {
    return List.of(reported).stream()
        .map(capacity -> new ConsumedUnits(0, capacity.capacityUnits()))
        .toList();
  }
}
