package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Order;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.Row;
import software.amazon.awssdk.core.pagination.sync.SdkIterable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Reads the pages of list patterns. A page begins after the sort key of the last item seen, which
 * is unique in its partition. So pages of any size concatenate to the same list, whatever is
 * inserted or deleted in between. Half a read unit for each 4 KB read.
 */
public final class PagedQueries {
  private final Table table;

  public PagedQueries(Table table) {
    this.table = table;
  }

  /** Returns a page of an index partition, eventually consistent, as every read of an index is. */
  public <R extends Record> Page<R> ofIndex(
      AccessPattern pattern, Class<R> type, String partition, PageRequest request) {
    Index index = pattern.index().orElseThrow();
    boolean forward = forward(pattern);
    var query = query(pattern, request).queryConditional(condition(partition, request, forward));
    return collect(table.index(index, type).query(query.build()), request.limit());
  }

  /**
   * Returns all items of an index partition, eventually consistent. The stream reads pages of up to
   * 1 MB as they are consumed.
   */
  public <R extends Record> Stream<R> allOfIndex(
      AccessPattern pattern, Class<R> type, String partition) {
    var query =
        QueryEnhancedRequest.builder()
            .queryConditional(QueryConditional.keyEqualTo(k -> k.partitionValue(partition)))
            .scanIndexForward(forward(pattern))
            .build();
    return table.index(pattern.index().orElseThrow(), type).query(query).stream()
        .flatMap(page -> page.items().stream())
        .map(Positioned::item);
  }

  /** Returns a page of the items of a partition with a sort key prefix, eventually consistent. */
  public <R extends Record & Row> Page<R> ofCollection(
      AccessPattern pattern, Class<R> type, String partition, String prefix, PageRequest request) {
    var query =
        query(pattern, request)
            .queryConditional(QueryConditional.sortBeginsWith(key(partition, prefix)));
    if (request.after() != null) {
      query.exclusiveStartKey(baseKey(partition, request.after()));
    }
    return collect(table.collection(type).query(query.build()), request.limit());
  }

  private static QueryEnhancedRequest.Builder query(AccessPattern pattern, PageRequest request) {
    pattern.requireWithin(request);
    return QueryEnhancedRequest.builder().limit(request.limit()).scanIndexForward(forward(pattern));
  }

  private static boolean forward(AccessPattern pattern) {
    return pattern.order() == Order.OLDEST_FIRST;
  }

  private static QueryConditional condition(
      String partition, PageRequest request, boolean forward) {
    @Nullable String after = request.after();
    if (after == null) {
      return QueryConditional.keyEqualTo(k -> k.partitionValue(partition));
    }
    return forward
        ? QueryConditional.sortGreaterThan(key(partition, after))
        : QueryConditional.sortLessThan(key(partition, after));
  }

  /** DynamoDB also ends a page at 1 MB, so one page here may take several of its pages. */
  private static <R> Page<R> collect(
      SdkIterable<software.amazon.awssdk.enhanced.dynamodb.model.Page<Positioned<R>>> pages,
      int limit) {
    var slots = new ArrayList<Positioned<R>>();
    boolean more = false;
    for (var page : pages) {
      slots.addAll(page.items());
      more = page.lastEvaluatedKey() != null;
      if (slots.size() >= limit) {
        break;
      }
    }
    boolean cut = slots.size() > limit;
    var kept = cut ? slots.subList(0, limit) : slots;
    return new Page<>(kept, more || cut ? kept.getLast().position() : null);
  }

  private static Key key(String partition, String sort) {
    return Key.builder().partitionValue(partition).sortValue(sort).build();
  }

  private static Map<String, AttributeValue> baseKey(String partition, String sort) {
    return Map.of(
        BaseTable.PK, AttributeValue.fromS(partition), BaseTable.SK, AttributeValue.fromS(sort));
  }
}
