package social.feed.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The log of a history, line by line, for analysis of a violation. */
final class HistoryLog {
  private final List<Supplier<String>> lines = new ArrayList<>();
  private final Supplier<String> time;
  private int depth;

  HistoryLog() {
    this(() -> "");
  }

  /**
   * @param time returns the present time, with which each line begins
   */
  HistoryLog(Supplier<String> time) {
    this.time = time;
  }

  /** Adds a line. Its text is computed only when the log is read. */
  void add(Supplier<String> line) {
    var indent = time.get() + "  ".repeat(depth);
    lines.add(() -> indent + line.get());
  }

  /** Runs a part whose lines are indented below the latest line. */
  <T> T nested(Supplier<T> part) {
    depth++;
    try {
      return part.get();
    } finally {
      depth--;
    }
  }

  List<String> lines() {
    return lines.stream().map(Supplier::get).toList();
  }

  /**
   * Returns a wire that logs each request and each exception, and passes the request to the wire
   * below.
   */
  Wire logging(Wire below) {
    return new Wire() {
      @Override
      public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
        add(() -> describe(request));
        try {
          return below.send(request, table);
        } catch (RuntimeException e) {
          add(() -> "  ! " + e.getClass().getSimpleName());
          throw e;
        }
      }
    };
  }

  private static String describe(DynamoDbRequest request) {
    return request.getClass().getSimpleName().replace("Request", "")
        + " "
        + String.join(", ", keys(request).toList());
  }

  /** Returns the keys that a request contains. */
  static Stream<String> keys(DynamoDbRequest request) {
    return switch (request) {
      case GetItemRequest get -> Stream.of(key(get.key()));
      case PutItemRequest put -> Stream.of(key(put.item()));
      case UpdateItemRequest update ->
          Stream.of(key(update.key()) + " " + update.updateExpression() + written(update));
      case DeleteItemRequest delete -> Stream.of(key(delete.key()));
      case BatchGetItemRequest get ->
          get.requestItems().values().stream().flatMap(k -> k.keys().stream()).map(HistoryLog::key);
      case BatchWriteItemRequest write ->
          write.requestItems().values().stream().flatMap(List::stream).map(HistoryLog::write);
      case TransactWriteItemsRequest transaction ->
          transaction.transactItems().stream().map(HistoryLog::part);
      case QueryRequest query ->
          Stream.of(query.indexName() + values(query.expressionAttributeValues()));
      default -> Stream.empty();
    };
  }

  private static String write(WriteRequest write) {
    return write.putRequest() == null
        ? "-" + key(write.deleteRequest().key())
        : "+" + key(write.putRequest().item());
  }

  private static String part(TransactWriteItem part) {
    if (part.put() != null) {
      return "+" + key(part.put().item());
    }
    if (part.delete() != null) {
      return "-" + key(part.delete().key());
    }
    return part.update() == null
        ? "?" + key(part.conditionCheck().key())
        : "~" + key(part.update().key());
  }

  static String key(Map<String, AttributeValue> item) {
    return Stream.of(BaseTable.PK, BaseTable.SK)
        .map(item::get)
        .map(part -> part == null ? "?" : part.s())
        .collect(Collectors.joining(" / "));
  }

  /** The values that an update writes. Those of its condition may be random, as ids of plans. */
  private static String written(UpdateItemRequest update) {
    var names = update.updateExpression().split("[^:#\\w]+");
    var written = new TreeMap<>(update.expressionAttributeValues());
    written.keySet().retainAll(Set.copyOf(List.of(names)));
    return values(written);
  }

  private static String values(Map<String, AttributeValue> values) {
    return " " + values.values().stream().map(v -> v.s() == null ? v.n() : v.s()).toList();
  }
}
