package social.feed.table.kernel.store;

import static java.util.Comparator.comparing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Reads the highest items of a ranking. A ranking has several partitions of an index, so that no
 * partition takes all its writes.
 */
public final class RankingQueries {
  /** A query reads this part of the limit, so that at most two more are needed. */
  private static final int PARTS = 3;

  /** Queries after the first of each partition. */
  private static final int MORE = 20;

  private final Table table;

  public RankingQueries(Table table) {
    this.table = table;
  }

  /**
   * Returns the sort keys of the highest items, highest first, eventually consistent. Each
   * partition is read concurrently, to a third of the limit. Where a partition may hold more of the
   * highest, it is read on, with at most two more queries in all: each goes on from an item that is
   * among the highest, and so are all before it. Where items are left out there may be more
   * queries, at most {@value #MORE}; then the result may lack items. Half a read unit for each 4 KB
   * of a query.
   *
   * @param partitions all partitions of the ranking
   * @param least the lowest sort key
   * @param limit the most items
   * @param counts which sort keys belong to the ranking
   */
  public List<String> highest(
      Index index, List<String> partitions, String least, int limit, Predicate<String> counts) {
    int part = limit / PARTS + 1;
    var sources =
        new ArrayList<>(
            ParallelCalls.map(
                partitions,
                partitions.size(),
                partition -> query(index, partition, least, part, null)));
    for (int more = 0; ; more++) {
      var read = sources.stream().flatMap(s -> s.entries.stream()).filter(counts).toList();
      var open =
          sources.stream().filter(source -> source.next != null).max(comparing(Source::last));
      if (open.isEmpty()
          || more == MORE
          || read.stream().filter(entry -> entry.compareTo(open.get().last()) >= 0).count()
              >= limit) {
        return read.stream().sorted(Comparator.reverseOrder()).limit(limit).toList();
      }
      var from = open.get();
      sources.remove(from);
      var rest = query(index, from.partition, least, part, from.next);
      sources.add(
          new Source(
              from.partition,
              Stream.concat(from.entries.stream(), rest.entries.stream()).toList(),
              rest.next));
    }
  }

  /** What was read of a partition, highest first, and where its rest begins. */
  private record Source(
      String partition, List<String> entries, @Nullable Map<String, AttributeValue> next) {
    private String last() {
      return entries.getLast();
    }
  }

  private Source query(
      Index index,
      String partition,
      String least,
      int limit,
      @Nullable Map<String, AttributeValue> from) {
    var request =
        QueryRequest.builder()
            .tableName(table.name())
            .indexName(index.indexName())
            .keyConditionExpression("#partition = :partition AND #sort >= :least")
            .projectionExpression("#sort")
            .expressionAttributeNames(
                Map.of("#partition", index.partitionKey(), "#sort", index.sortKey()))
            .expressionAttributeValues(
                Map.of(
                    ":partition", AttributeValue.fromS(partition),
                    ":least", AttributeValue.fromS(least)))
            .exclusiveStartKey(from)
            .scanIndexForward(false)
            .limit(limit)
            .build();
    var response = table.client().query(request);
    var entries =
        response.items().stream().map(item -> item.get(index.sortKey())).map(AttributeValue::s);
    var next = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : null;
    return new Source(partition, entries.toList(), next);
  }
}
