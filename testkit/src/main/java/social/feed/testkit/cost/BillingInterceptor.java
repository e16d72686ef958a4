package social.feed.testkit.cost;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.testkit.cost.Billing.Consistency;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Adds each call to the open {@link Bill} and replaces the consumed capacity of its response with
 * the units of {@link Billing}. Does nothing while no bill is open. The SDK finds this class in
 * {@code execution.interceptors} and adds it to every client, including those of the API.
 *
 * <p>The model reads the written items before and after a write, so another write in between
 * distorts the figure of that write.
 */
public final class BillingInterceptor implements ExecutionInterceptor {
  private static final ExecutionAttribute<Images> BEFORE = new ExecutionAttribute<>("BilledBefore");

  /** BatchGetItem's own limit. */
  private static final int BATCH = 100;

  /** Items by their keys. */
  private record Images(Map<Map<String, AttributeValue>, Map<String, AttributeValue>> byKey) {
    Map<String, AttributeValue> at(Map<String, AttributeValue> key) {
      return byKey.getOrDefault(key, Map.of());
    }
  }

  private enum Kind {
    PUT,
    UPDATE,
    DELETE,
    CHECK
  }

  /**
   * A write of one item.
   *
   * @param item what a put stores; otherwise empty
   */
  private record Write(
      String table, Kind kind, Map<String, AttributeValue> key, Map<String, AttributeValue> item) {
    static Write put(String table, Map<String, AttributeValue> item) {
      return new Write(table, Kind.PUT, keyOf(item), item);
    }

    static Write of(String table, Kind kind, Map<String, AttributeValue> key) {
      return new Write(table, kind, key, Map.of());
    }
  }

  /** Returns the open bill of the table of a call; a call concerns one. */
  private static Optional<Bill> bill(SdkRequest request) {
    Optional<String> table =
        switch (request) {
          case BatchGetItemRequest r -> r.requestItems().keySet().stream().findFirst();
          case BatchWriteItemRequest r -> r.requestItems().keySet().stream().findFirst();
          case TransactWriteItemsRequest r -> writes(r).stream().map(Write::table).findFirst();
          case SdkRequest r -> r.getValueForField("TableName", String.class);
        };
    return table.flatMap(Bill::current);
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    bill(context.request())
        .ifPresent(
            bill ->
                attributes.putAttribute(BEFORE, images(bill.reader(), writes(context.request()))));
  }

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    var bill = bill(context.request());
    var before = attributes.getAttribute(BEFORE);
    if (bill.isEmpty() || before == null) {
      return context.response();
    }
    var units = units(bill.get(), context.request(), context.response(), before);
    if (units.isEmpty()) {
      return context.response();
    }
    bill.get().add(new Bill.Call(name(context.request()), units.get()));
    return reporting(context.response(), units.get().read() + units.get().write());
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    var before = attributes.getAttribute(BEFORE);
    if (before != null) {
      bill(context.request())
          .ifPresent(
              bill ->
                  bill.add(
                      new Bill.Call(
                          name(context.request()), new ConsumedUnits(0, failed(context, before)))));
    }
  }

  /** A call that DynamoDB rejects for another reason than a condition is not billed. */
  private static double failed(Context.FailedExecution context, Images before) {
    var writes = writes(context.request()).stream();
    return switch (context.exception()) {
      case ConditionalCheckFailedException _ ->
          writes
              .mapToDouble(write -> Billing.failedWrite(before.at(write.key()), write.item()))
              .sum();
      case TransactionCanceledException _ ->
          writes
              .mapToDouble(
                  write -> Billing.failedTransactionalWrite(before.at(write.key()), write.item()))
              .sum();
      case Throwable _ -> 0;
    };
  }

  private static Optional<ConsumedUnits> units(
      Bill bill, SdkRequest request, SdkResponse response, Images before) {
    return switch (response) {
      case GetItemResponse r -> read(get(bill, (GetItemRequest) request, r));
      case BatchGetItemResponse r -> read(batchGet(bill, (BatchGetItemRequest) request, r));
      case QueryResponse r -> read(query(bill, (QueryRequest) request, r));
      case ScanResponse r -> read(scan(bill, (ScanRequest) request, r));
      case PutItemResponse _, UpdateItemResponse _, DeleteItemResponse _ ->
          write(written(bill, writes(request), before));
      case BatchWriteItemResponse r -> write(written(bill, processed(request, r), before));
      case TransactWriteItemsResponse _ -> write(transacted(bill, writes(request), before));
      case SdkResponse _ -> Optional.empty();
    };
  }

  private static Optional<ConsumedUnits> read(double units) {
    return Optional.of(new ConsumedUnits(units, 0));
  }

  private static Optional<ConsumedUnits> write(double units) {
    return Optional.of(new ConsumedUnits(0, units));
  }

  // Reads

  private static double get(Bill bill, GetItemRequest request, GetItemResponse response) {
    var item =
        request.projectionExpression() == null
            ? response.item()
            : image(bill.reader(), request.tableName(), request.key());
    return Billing.readOfItem(item, Consistency.of(request.consistentRead()));
  }

  private static double batchGet(
      Bill bill, BatchGetItemRequest request, BatchGetItemResponse response) {
    double sum = 0;
    for (var table : request.requestItems().entrySet()) {
      var asked = table.getValue();
      var consistency = Consistency.of(asked.consistentRead());
      var items = response.responses().getOrDefault(table.getKey(), List.of());
      if (asked.projectionExpression() != null) {
        items = List.copyOf(images(bill.reader(), table.getKey(), asked.keys()).byKey().values());
      }
      int unprocessed =
          Optional.ofNullable(response.unprocessedKeys().get(table.getKey()))
              .map(keys -> keys.keys().size())
              .orElse(0);
      int absent = asked.keys().size() - unprocessed - items.size();
      sum += items.stream().mapToDouble(item -> Billing.readOfItem(item, consistency)).sum();
      sum += absent * Billing.readOfItem(Map.of(), consistency);
    }
    return sum;
  }

  private static double query(Bill bill, QueryRequest request, QueryResponse response) {
    return Billing.readOfPage(
        EvaluatedItems.bytes(bill.reader(), request, response),
        Consistency.of(request.consistentRead()));
  }

  private static double scan(Bill bill, ScanRequest request, ScanResponse response) {
    return Billing.readOfPage(
        EvaluatedItems.bytes(bill.reader(), request, response),
        Consistency.of(request.consistentRead()));
  }

  // Writes

  private static List<Write> writes(SdkRequest request) {
    return switch (request) {
      case PutItemRequest r -> List.of(Write.put(r.tableName(), r.item()));
      case UpdateItemRequest r -> List.of(Write.of(r.tableName(), Kind.UPDATE, r.key()));
      case DeleteItemRequest r -> List.of(Write.of(r.tableName(), Kind.DELETE, r.key()));
      case BatchWriteItemRequest r -> batch(r.requestItems());
      case TransactWriteItemsRequest r ->
          r.transactItems().stream().map(BillingInterceptor::write).toList();
      case SdkRequest _ -> List.of();
    };
  }

  private static List<Write> batch(Map<String, List<WriteRequest>> requests) {
    return requests.entrySet().stream()
        .flatMap(of -> of.getValue().stream().map(write -> write(of.getKey(), write)))
        .toList();
  }

  private static Write write(String table, WriteRequest write) {
    return write.putRequest() == null
        ? Write.of(table, Kind.DELETE, write.deleteRequest().key())
        : Write.put(table, write.putRequest().item());
  }

  private static Write write(TransactWriteItem write) {
    if (write.put() != null) {
      return Write.put(write.put().tableName(), write.put().item());
    }
    if (write.update() != null) {
      return Write.of(write.update().tableName(), Kind.UPDATE, write.update().key());
    }
    if (write.delete() != null) {
      return Write.of(write.delete().tableName(), Kind.DELETE, write.delete().key());
    }
    return Write.of(write.conditionCheck().tableName(), Kind.CHECK, write.conditionCheck().key());
  }

  private static List<Write> processed(SdkRequest request, BatchWriteItemResponse response) {
    var left = new ArrayList<>(writes(request));
    batch(response.unprocessedItems()).forEach(left::remove);
    return left;
  }

  private static double written(Bill bill, List<Write> writes, Images before) {
    var after = after(bill, writes);
    return writes.stream()
        .mapToDouble(w -> bill.billing().write(before.at(w.key()), after.at(w.key())))
        .sum();
  }

  private static double transacted(Bill bill, List<Write> writes, Images before) {
    var after = after(bill, writes);
    return writes.stream()
        .mapToDouble(
            w ->
                w.kind() == Kind.CHECK
                    ? Billing.check(before.at(w.key()))
                    : bill.billing().transactionalWrite(before.at(w.key()), after.at(w.key())))
        .sum();
  }

  /** Only the result of an update has to be read. */
  private static Images after(Bill bill, List<Write> writes) {
    var updates = writes.stream().filter(write -> write.kind() == Kind.UPDATE).toList();
    var after = new HashMap<>(images(bill.reader(), updates).byKey());
    writes.stream()
        .filter(write -> write.kind() == Kind.PUT)
        .forEach(put -> after.put(put.key(), put.item()));
    return new Images(after);
  }

  // Items that the model reads

  private static Images images(DynamoDbClient reader, List<Write> writes) {
    return writes.isEmpty()
        ? new Images(Map.of())
        : images(
            reader, writes.getFirst().table(), writes.stream().map(Write::key).distinct().toList());
  }

  private static Map<String, AttributeValue> image(
      DynamoDbClient reader, String table, Map<String, AttributeValue> key) {
    return images(reader, table, List.of(key)).at(key);
  }

  private static Images images(
      DynamoDbClient reader, String table, List<Map<String, AttributeValue>> keys) {
    var found = new HashMap<Map<String, AttributeValue>, Map<String, AttributeValue>>();
    for (int from = 0; from < keys.size(); from += BATCH) {
      var asked =
          KeysAndAttributes.builder()
              .keys(keys.subList(from, Math.min(keys.size(), from + BATCH)))
              .consistentRead(true)
              .build();
      Bill.free(() -> reader.batchGetItem(b -> b.requestItems(Map.of(table, asked))))
          .responses()
          .getOrDefault(table, List.of())
          .forEach(item -> found.put(keyOf(item), item));
    }
    return new Images(found);
  }

  private static Map<String, AttributeValue> keyOf(Map<String, AttributeValue> item) {
    var table = FeedTable.DECLARATION;
    return Map.of(
        table.partitionKey(), Objects.requireNonNull(item.get(table.partitionKey())),
        table.sortKey(), Objects.requireNonNull(item.get(table.sortKey())));
  }

  // Responses

  private static String name(SdkRequest request) {
    return request.getClass().getSimpleName().replaceFirst("Request$", "");
  }

  /** Returns the response with other units, if it reports any. */
  private static SdkResponse reporting(SdkResponse response, double units) {
    return switch (response) {
      case GetItemResponse r when r.consumedCapacity() != null ->
          r.toBuilder().consumedCapacity(of(r.consumedCapacity(), units)).build();
      case QueryResponse r when r.consumedCapacity() != null ->
          r.toBuilder().consumedCapacity(of(r.consumedCapacity(), units)).build();
      case ScanResponse r when r.consumedCapacity() != null ->
          r.toBuilder().consumedCapacity(of(r.consumedCapacity(), units)).build();
      case PutItemResponse r when r.consumedCapacity() != null ->
          r.toBuilder().consumedCapacity(of(r.consumedCapacity(), units)).build();
      case UpdateItemResponse r when r.consumedCapacity() != null ->
          r.toBuilder().consumedCapacity(of(r.consumedCapacity(), units)).build();
      case DeleteItemResponse r when r.consumedCapacity() != null ->
          r.toBuilder().consumedCapacity(of(r.consumedCapacity(), units)).build();
      case BatchGetItemResponse r when r.hasConsumedCapacity() ->
          r.toBuilder().consumedCapacity(of(r.consumedCapacity(), units)).build();
      case BatchWriteItemResponse r when r.hasConsumedCapacity() ->
          r.toBuilder().consumedCapacity(of(r.consumedCapacity(), units)).build();
      case TransactWriteItemsResponse r when r.hasConsumedCapacity() ->
          r.toBuilder().consumedCapacity(of(r.consumedCapacity(), units)).build();
      case SdkResponse r -> r;
    };
  }

  private static ConsumedCapacity of(ConsumedCapacity reported, double units) {
    return ConsumedCapacity.builder().tableName(reported.tableName()).capacityUnits(units).build();
  }

  /** The platform has one table, so a batch has one figure. */
  private static List<ConsumedCapacity> of(List<ConsumedCapacity> reported, double units) {
    var table = reported.isEmpty() ? null : reported.getFirst().tableName();
    return List.of(ConsumedCapacity.builder().tableName(table).capacityUnits(units).build());
  }
}
