package social.feed.table.kernel.store;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.row.Key;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Reports the keys of the items that a call wrote to the bound {@link CostMeter}. */
final class WrittenItems implements ExecutionInterceptor {

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    CostMeter.reportWritten(() -> of(context.request()));
  }

  private static List<Key> of(SdkRequest request) {
    return switch (request) {
      case PutItemRequest r -> List.of(key(r.item()));
      case UpdateItemRequest r -> List.of(key(r.key()));
      case DeleteItemRequest r -> List.of(key(r.key()));
      case BatchWriteItemRequest r ->
          r.requestItems().values().stream()
              .flatMap(List::stream)
              .map(
                  write ->
                      write.putRequest() == null
                          ? write.deleteRequest().key()
                          : write.putRequest().item())
              .map(WrittenItems::key)
              .toList();
      case TransactWriteItemsRequest r ->
          r.transactItems().stream()
              .flatMap(
                  write ->
                      Stream.of(
                          Optional.ofNullable(write.put()).map(Put::item),
                          Optional.ofNullable(write.update()).map(Update::key),
                          Optional.ofNullable(write.delete()).map(Delete::key)))
              .flatMap(Optional::stream)
              .map(WrittenItems::key)
              .toList();
      case SdkRequest _ -> List.of();
    };
  }

  private static Key key(Map<String, AttributeValue> item) {
    return new Key(
        Objects.requireNonNull(item.get(BaseTable.PK)).s(),
        Objects.requireNonNull(item.get(BaseTable.SK)).s());
  }
}
