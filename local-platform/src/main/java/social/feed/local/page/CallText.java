package social.feed.local.page;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.KeyAttributes;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A request to DynamoDB as text.
 *
 * @param operation such as {@code Query}
 * @param index the index, null for the table itself
 * @param keys the keys or the condition on them
 * @param isStrong whether a read is strongly consistent; null for a write
 * @param details condition, update, filter, projection and limit, as far as there are any
 */
record CallText(
    String operation,
    @Nullable String index,
    String keys,
    @Nullable Boolean isStrong,
    Map<String, String> details) {
  private static final Pattern PLACEHOLDER = Pattern.compile("[#:][A-Za-z0-9_]+");
  private static final int LONGEST_VALUE = 80;
  private static final int MOST_KEYS = 25;

  /** Returns the number of its characters. */
  int length() {
    return keys.length()
        + details.entrySet().stream()
            .mapToInt(detail -> detail.getKey().length() + detail.getValue().length())
            .sum();
  }

  /** Returns the text of a request. */
  static CallText of(SdkRequest request) {
    var operation = request.getClass().getSimpleName().replaceFirst("Request$", "");
    var details = new TreeMap<String, String>();
    return switch (request) {
      case GetItemRequest r -> {
        put(details, "projection", r.projectionExpression(), names(r.expressionAttributeNames()));
        yield new CallText(operation, null, key(r.key()), strong(r.consistentRead()), details);
      }
      case QueryRequest r -> {
        var known = filled(r.expressionAttributeNames(), r.expressionAttributeValues());
        put(details, "filter", r.filterExpression(), known);
        put(details, "projection", r.projectionExpression(), known);
        put(details, "limit", r.limit() == null ? null : r.limit().toString(), known);
        put(
            details,
            "order",
            Boolean.FALSE.equals(r.scanIndexForward()) ? "descending" : null,
            known);
        put(
            details,
            "from",
            r.hasExclusiveStartKey() ? key(r.exclusiveStartKey()) : null,
            Map.of());
        yield new CallText(
            operation,
            r.indexName(),
            filled(String.valueOf(r.keyConditionExpression()), known),
            strong(r.consistentRead()),
            details);
      }
      case ScanRequest r -> {
        put(
            details,
            "filter",
            r.filterExpression(),
            filled(r.expressionAttributeNames(), r.expressionAttributeValues()));
        yield new CallText(operation, r.indexName(), "all", strong(r.consistentRead()), details);
      }
      case BatchGetItemRequest r -> {
        var wanted = r.requestItems().values().stream().toList();
        yield new CallText(
            operation,
            null,
            keys(wanted.stream().flatMap(each -> each.keys().stream()).map(CallText::key).toList()),
            wanted.stream().allMatch(each -> strong(each.consistentRead())),
            details);
      }
      case PutItemRequest r -> {
        put(
            details,
            "condition",
            r.conditionExpression(),
            filled(r.expressionAttributeNames(), r.expressionAttributeValues()));
        yield new CallText(operation, null, key(r.item()), null, details);
      }
      case UpdateItemRequest r -> {
        var known = filled(r.expressionAttributeNames(), r.expressionAttributeValues());
        put(details, "update", r.updateExpression(), known);
        put(details, "condition", r.conditionExpression(), known);
        yield new CallText(operation, null, key(r.key()), null, details);
      }
      case DeleteItemRequest r -> {
        put(
            details,
            "condition",
            r.conditionExpression(),
            filled(r.expressionAttributeNames(), r.expressionAttributeValues()));
        yield new CallText(operation, null, key(r.key()), null, details);
      }
      case BatchWriteItemRequest r ->
          new CallText(
              operation,
              null,
              keys(Writes.of(r).stream().map(write -> write.kind() + " " + write.key()).toList()),
              null,
              details);
      case TransactWriteItemsRequest r -> {
        int number = 1;
        for (var item : r.transactItems()) {
          details.put("item %02d".formatted(number++), part(item));
        }
        yield new CallText(
            operation, null, r.transactItems().size() + " items, all or none", null, details);
      }
      case SdkRequest _ -> new CallText(operation, null, "", null, details);
    };
  }

  private static String part(TransactWriteItem item) {
    if (item.put() != null) {
      var put = item.put();
      return "Put "
          + key(put.item())
          + when(
              put.conditionExpression(),
              filled(put.expressionAttributeNames(), put.expressionAttributeValues()));
    }
    if (item.update() != null) {
      var update = item.update();
      var known = filled(update.expressionAttributeNames(), update.expressionAttributeValues());
      return "Update "
          + key(update.key())
          + "\n"
          + filled(update.updateExpression(), known)
          + when(update.conditionExpression(), known);
    }
    if (item.delete() != null) {
      var delete = item.delete();
      return "Delete "
          + key(delete.key())
          + when(
              delete.conditionExpression(),
              filled(delete.expressionAttributeNames(), delete.expressionAttributeValues()));
    }
    var check = item.conditionCheck();
    return "Check "
        + key(check.key())
        + when(
            check.conditionExpression(),
            filled(check.expressionAttributeNames(), check.expressionAttributeValues()));
  }

  private static String when(@Nullable String condition, Map<String, String> known) {
    return condition == null ? "" : "\nif " + filled(condition, known);
  }

  private static boolean strong(@Nullable Boolean consistent) {
    return Boolean.TRUE.equals(consistent);
  }

  private static String key(Map<String, AttributeValue> item) {
    return KeyAttributes.key(item).toString();
  }

  private static String keys(List<String> keys) {
    var shown = Stream.concat(Stream.of(keys.size() + " items"), keys.stream().limit(MOST_KEYS));
    return shown.collect(Collectors.joining("\n")) + (keys.size() > MOST_KEYS ? "\n…" : "");
  }

  private static void put(
      Map<String, String> details, String name, @Nullable String text, Map<String, String> known) {
    if (text != null && !text.isEmpty()) {
      details.put(name, filled(text, known));
    }
  }

  private static Map<String, String> names(Map<String, String> names) {
    return filled(names, Map.of());
  }

  /** Returns what each placeholder stands for. */
  private static Map<String, String> filled(
      Map<String, String> names, Map<String, AttributeValue> values) {
    var known = new TreeMap<>(names);
    values.forEach((name, value) -> known.put(name, text(value)));
    return known;
  }

  private static String filled(String expression, Map<String, String> known) {
    return PLACEHOLDER
        .matcher(expression)
        .replaceAll(
            found -> Matcher.quoteReplacement(known.getOrDefault(found.group(), found.group())));
  }

  private static String text(AttributeValue value) {
    var text =
        switch (value.type()) {
          case S -> '"' + value.s() + '"';
          case N -> value.n();
          case BOOL -> value.bool().toString();
          default -> value.type() + " " + AttributeText.of(value);
        };
    return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "…";
  }
}
