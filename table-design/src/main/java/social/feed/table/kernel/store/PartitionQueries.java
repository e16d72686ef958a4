package social.feed.table.kernel.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** Reads partitions of the table, strongly consistent, one page in memory at a time. */
public final class PartitionQueries {
  private static final int PAGE = 500;

  private final Table table;

  public PartitionQueries(Table table) {
    this.table = table;
  }

  /** Returns the keys with a sort key prefix, up to 500 at a time. One read unit for 4 KB read. */
  public Stream<List<Key>> keys(String partition, String prefix) {
    var request =
        request(partition, prefix)
            .projectionExpression("#pk, #sk")
            .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK));
    return pages(request).map(page -> page.stream().map(KeyAttributes::key).toList());
  }

  /**
   * Returns the keys with a sort key prefix that come after a sort key, in one list. One read unit
   * for 4 KB read.
   *
   * @param after the sort key of the last one seen, absent for the first part
   * @param limit the most keys; fewer mean the end
   */
  public List<Key> keysAfter(String partition, String prefix, @Nullable String after, int limit) {
    var request =
        request(partition, prefix)
            .limit(Math.min(limit, PAGE))
            .projectionExpression("#pk, #sk")
            .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK));
    if (after != null) {
      request.exclusiveStartKey(KeyAttributes.of(new Key(partition, after)));
    }
    return pages(request).flatMap(List::stream).limit(limit).map(KeyAttributes::key).toList();
  }

  /**
   * Returns the keys whose sort keys lie between two, both included, in one list. One read unit for
   * 4 KB read.
   */
  public List<Key> keysBetween(String partition, String first, String last) {
    return pages(between(partition, first, last).projectionExpression("#pk, #sk"))
        .flatMap(List::stream)
        .map(KeyAttributes::key)
        .toList();
  }

  /** Returns the keys of a whole partition, up to 500 at a time. One read unit for 4 KB read. */
  public Stream<List<Key>> keys(String partition) {
    var request =
        QueryRequest.builder()
            .tableName(table.name())
            .consistentRead(true)
            .limit(PAGE)
            .keyConditionExpression("#pk = :pk")
            .projectionExpression("#pk, #sk")
            .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK))
            .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(partition)));
    return pages(request).map(page -> page.stream().map(KeyAttributes::key).toList());
  }

  /** Returns the items with a sort key prefix, up to 500 at a time. One read unit for 4 KB read. */
  public Stream<List<Map<String, AttributeValue>>> items(String partition, String prefix) {
    var request =
        request(partition, prefix)
            .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK));
    return pages(request);
  }

  /**
   * Returns the items with a sort key prefix in the reverse order, read as they are needed. One
   * read unit for 4 KB read.
   *
   * @param limit the most items of one read
   */
  public Stream<List<Map<String, AttributeValue>>> fromTheEnd(
      String partition, String prefix, int limit) {
    var request =
        request(partition, prefix)
            .scanIndexForward(false)
            .limit(limit)
            .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK));
    return pages(request);
  }

  /**
   * Returns the items with a sort key prefix that come after a sort key, in one list.
   *
   * @param after the sort key of the last item seen, absent for the first part
   * @param limit the most items; fewer mean the end
   */
  public List<Map<String, AttributeValue>> after(
      String partition, String prefix, @Nullable String after, int limit) {
    return after(partition, prefix, after, limit, List.of());
  }

  /**
   * As {@link #after(String, String, String, int)}, with some attributes of the items. Costs the
   * same units, and less to send and to read.
   *
   * @param attributes empty for all of them
   */
  public List<Map<String, AttributeValue>> after(
      String partition, String prefix, @Nullable String after, int limit, List<String> attributes) {
    var request = with(attributes, request(partition, prefix).limit(Math.min(limit, PAGE)));
    if (after != null) {
      request.exclusiveStartKey(KeyAttributes.of(new Key(partition, after)));
    }
    return pages(request).flatMap(List::stream).limit(limit).toList();
  }

  /** Returns the items whose sort keys lie between two, both included, in one list. */
  public List<Map<String, AttributeValue>> range(String partition, String first, String last) {
    return range(partition, first, last, List.of());
  }

  /**
   * As {@link #range(String, String, String)}, with some attributes of the items. Costs the same
   * units, and less to send and to read.
   *
   * @param attributes empty for all of them
   */
  public List<Map<String, AttributeValue>> range(
      String partition, String first, String last, List<String> attributes) {
    return pages(with(attributes, between(partition, first, last))).flatMap(List::stream).toList();
  }

  /**
   * As {@link #range(String, String, String)}, but returns the first items only.
   *
   * @param limit the most items; fewer mean that there are no others
   */
  public List<Map<String, AttributeValue>> range(
      String partition, String first, String last, int limit) {
    return pages(between(partition, first, last).limit(limit))
        .flatMap(List::stream)
        .limit(limit)
        .toList();
  }

  /**
   * Returns the last items whose sort keys lie between two, both included, in the reverse order.
   *
   * @param limit the most items
   */
  public List<Map<String, AttributeValue>> newest(
      String partition, String first, String last, int limit) {
    return pages(between(partition, first, last).scanIndexForward(false).limit(limit))
        .flatMap(List::stream)
        .limit(limit)
        .toList();
  }

  /**
   * Counts the items with a sort key prefix, eventually consistent. Half a read unit for 4 KB.
   *
   * @param pages the most pages of 1 MB that are read; items after them are not counted
   */
  public long count(String partition, String prefix, int pages) {
    var request =
        request(partition, prefix)
            .limit(null)
            .consistentRead(false)
            .select(Select.COUNT)
            .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK))
            .build();
    return table.client().queryPaginator(request).stream()
        .limit(pages)
        .mapToLong(QueryResponse::count)
        .sum();
  }

  private static QueryRequest.Builder with(List<String> attributes, QueryRequest.Builder request) {
    var names = new HashMap<>(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK));
    attributes.forEach(attribute -> names.put("#" + attribute, attribute));
    return request
        .expressionAttributeNames(names)
        .projectionExpression(
            attributes.isEmpty()
                ? null
                : attributes.stream().map(each -> "#" + each).collect(Collectors.joining(", ")));
  }

  private QueryRequest.Builder between(String partition, String first, String last) {
    return QueryRequest.builder()
        .tableName(table.name())
        .consistentRead(true)
        .keyConditionExpression("#pk = :pk AND #sk BETWEEN :first AND :last")
        .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK))
        .expressionAttributeValues(
            Map.of(
                ":pk", AttributeValue.fromS(partition),
                ":first", AttributeValue.fromS(first),
                ":last", AttributeValue.fromS(last)));
  }

  private QueryRequest.Builder request(String partition, String prefix) {
    return QueryRequest.builder()
        .tableName(table.name())
        .consistentRead(true)
        .limit(PAGE)
        .keyConditionExpression("#pk = :pk AND begins_with(#sk, :prefix)")
        .expressionAttributeValues(
            Map.of(
                ":pk", AttributeValue.fromS(partition), ":prefix", AttributeValue.fromS(prefix)));
  }

  private Stream<List<Map<String, AttributeValue>>> pages(QueryRequest.Builder request) {
    return table.client().queryPaginator(request.build()).stream().map(page -> page.items());
  }
}
