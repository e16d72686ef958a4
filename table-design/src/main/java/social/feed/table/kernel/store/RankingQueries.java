package social.feed.table.kernel.store;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.declaration.Index;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Reads the highest items of a ranking. A ranking has several partitions of an index, so that no
 * partition takes all its writes. Half a read unit for each 4 KB read of each partition.
 */
public final class RankingQueries {
  private final Table table;

  public RankingQueries(Table table) {
    this.table = table;
  }

  /**
   * Returns the sort keys of the highest items, highest first, eventually consistent.
   *
   * @param partitions all partitions of the ranking; read concurrently
   * @param least the lowest sort key
   * @param limit the most items; each partition is read up to that number, and up to 1 MB
   */
  public List<String> highest(Index index, List<String> partitions, String least, int limit) {
    return ParallelCalls.map(
            partitions, partitions.size(), partition -> of(index, partition, least, limit))
        .stream()
        .flatMap(List::stream)
        .sorted(Comparator.reverseOrder())
        .limit(limit)
        .toList();
  }

  private List<String> of(Index index, String partition, String least, int limit) {
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
            .scanIndexForward(false)
            .limit(limit)
            .build();
    return table.client().query(request).items().stream()
        .map(item -> item.get(index.sortKey()))
        .map(AttributeValue::s)
        .toList();
  }
}
