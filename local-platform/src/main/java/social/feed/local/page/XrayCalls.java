package social.feed.local.page;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.local.page.Writes.Write;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.CostMeter;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
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

/** Records each call of a request or an effect that is watched. Other calls stay as they are. */
final class XrayCalls implements ExecutionInterceptor {
  private static final ReturnConsumedCapacity INDEXES = ReturnConsumedCapacity.INDEXES;
  private static final ExecutionAttribute<OpenCall> OPEN = new ExecutionAttribute<>("xray.call");

  private final Xray xray;

  XrayCalls(Xray xray) {
    this.xray = xray;
  }

  /** A call that has begun. */
  private record OpenCall(Watch watch, List<Write> writes, double at, long nanos) {}

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    var watch = xray.watchOf(CostMeter.current());
    if (watch != null) {
      var writes = Writes.of(context.request());
      attributes.putAttribute(OPEN, new OpenCall(watch, writes, Xray.now(), System.nanoTime()));
      // Before the write: its record may be read before this call returns.
      xray.expect(watch, writes);
    }
  }

  /** Requests the units of each index, next to the sum. */
  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    if (attributes.getAttribute(OPEN) == null) {
      return context.request();
    }
    return switch (context.request()) {
      case GetItemRequest r -> r.toBuilder().returnConsumedCapacity(INDEXES).build();
      case PutItemRequest r -> r.toBuilder().returnConsumedCapacity(INDEXES).build();
      case UpdateItemRequest r -> r.toBuilder().returnConsumedCapacity(INDEXES).build();
      case DeleteItemRequest r -> r.toBuilder().returnConsumedCapacity(INDEXES).build();
      case QueryRequest r -> r.toBuilder().returnConsumedCapacity(INDEXES).build();
      case ScanRequest r -> r.toBuilder().returnConsumedCapacity(INDEXES).build();
      case BatchGetItemRequest r -> r.toBuilder().returnConsumedCapacity(INDEXES).build();
      case BatchWriteItemRequest r -> r.toBuilder().returnConsumedCapacity(INDEXES).build();
      case TransactWriteItemsRequest r -> r.toBuilder().returnConsumedCapacity(INDEXES).build();
      case SdkRequest r -> r;
    };
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    var open = attributes.getAttribute(OPEN);
    if (open == null) {
      return;
    }
    var request = context.request();
    var response = context.response();
    var units = units(response);
    double sum = units.values().stream().mapToDouble(Double::doubleValue).sum();
    boolean isRead = isRead(response);
    open.watch.ended(
        new Call(
            open.at,
            millis(open),
            CallText.of(request),
            open.writes.stream().map(Write::key).toList(),
            items(response),
            units,
            isRead ? new ConsumedUnits(sum, 0) : new ConsumedUnits(0, sum),
            null));
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    var open = attributes.getAttribute(OPEN);
    if (open == null) {
      return;
    }
    var request = context.request();
    xray.forget(open.writes);
    open.watch.ended(
        new Call(
            open.at,
            millis(open),
            CallText.of(request),
            List.of(),
            null,
            Map.of(),
            ConsumedUnits.NONE,
            error(context.exception())));
  }

  private static double millis(OpenCall open) {
    return (System.nanoTime() - open.nanos) / 1e6;
  }

  private static String error(Throwable failure) {
    return failure instanceof DynamoDbException refused && refused.awsErrorDetails() != null
        ? refused.awsErrorDetails().errorCode()
        : failure.getClass().getSimpleName();
  }

  private static boolean isRead(SdkResponse response) {
    return response instanceof GetItemResponse
        || response instanceof QueryResponse
        || response instanceof ScanResponse
        || response instanceof BatchGetItemResponse;
  }

  private static @Nullable Integer items(SdkResponse response) {
    return switch (response) {
      case GetItemResponse r -> r.hasItem() ? 1 : 0;
      case QueryResponse r -> r.count();
      case ScanResponse r -> r.count();
      case BatchGetItemResponse r -> r.responses().values().stream().mapToInt(List::size).sum();
      case SdkResponse _ -> null;
    };
  }

  private static Map<String, Double> units(SdkResponse response) {
    return switch (response) {
      case GetItemResponse r -> units(List.of(r.consumedCapacity()));
      case QueryResponse r -> units(List.of(r.consumedCapacity()));
      case ScanResponse r -> units(List.of(r.consumedCapacity()));
      case BatchGetItemResponse r -> units(r.consumedCapacity());
      case PutItemResponse r -> units(List.of(r.consumedCapacity()));
      case UpdateItemResponse r -> units(List.of(r.consumedCapacity()));
      case DeleteItemResponse r -> units(List.of(r.consumedCapacity()));
      case BatchWriteItemResponse r -> units(r.consumedCapacity());
      case TransactWriteItemsResponse r -> units(r.consumedCapacity());
      case SdkResponse _ -> Map.of();
    };
  }

  /** Returns the units of the table and of each index that consumed any. */
  private static Map<String, Double> units(List<ConsumedCapacity> reported) {
    var units = new HashMap<String, Double>();
    for (var one : reported) {
      double ofIndexes = 0;
      for (var index : one.globalSecondaryIndexes().entrySet()) {
        double consumed = number(index.getValue());
        ofIndexes += consumed;
        units.merge(index.getKey(), consumed, Double::sum);
      }
      units.merge("table", one.capacityUnits() - ofIndexes, Double::sum);
    }
    units.values().removeIf(consumed -> consumed == 0);
    return units;
  }

  private static double number(Capacity capacity) {
    return capacity.capacityUnits() == null ? 0 : capacity.capacityUnits();
  }
}
