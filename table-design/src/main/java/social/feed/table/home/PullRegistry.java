package social.feed.table.home;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Keys;
import social.feed.table.row.PulledAuthor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * The authors who have posts that are pulled. One row an author, whatever the number of followers,
 * so a flip of the flag costs the same for all.
 */
public final class PullRegistry {
  private static final RecordSchema<PulledAuthor> SCHEMA = RecordSchema.of(PulledAuthor.class);

  private final Table table;
  private final PartitionQueries partitions;

  public PullRegistry(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
  }

  /** All authors, by id, strongly consistent. One read unit for each 4 KB, some 20 authors. */
  public List<PulledAuthor> authors() {
    return partitions
        .items(Keys.PULL_REGISTRY, Keys.USERS)
        .flatMap(List::stream)
        .map(SCHEMA::mapToItem)
        .toList();
  }

  /** An author, strongly consistent. One read unit. */
  public Optional<PulledAuthor> get(String authorId) {
    return table.get(PulledAuthor.key(authorId)).map(SCHEMA::mapToItem);
  }

  /**
   * Changes an author's row, which there may not be yet. One read unit, and one write unit when
   * something changes.
   *
   * @param time of the first pulled post of an author who is new here, or earlier
   * @return the row afterwards
   * @throws ThrottledException when others keep changing the same row
   */
  public PulledAuthor change(String authorId, Instant time, UnaryOperator<PulledAuthor> change) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var stored = get(authorId);
      var before = stored.orElseGet(() -> PulledAuthor.from(authorId, time));
      var after = change.apply(before);
      if (stored.isPresent() && after.equals(before)) {
        return after;
      }
      if (put(stored, after.next())) {
        return after.next();
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Pull registry of " + authorId, 1, table.backoff().attempts());
  }

  private boolean put(Optional<PulledAuthor> before, PulledAuthor after) {
    var put = PutItemRequest.builder().tableName(table.name()).item(RowCodec.encode(after));
    before.ifPresentOrElse(
        row ->
            put.conditionExpression("#revision = :revision")
                .expressionAttributeNames(Map.of("#revision", PulledAuthor.REVISION))
                .expressionAttributeValues(
                    Map.of(":revision", AttributeValue.fromN(Long.toString(row.revision())))),
        () -> put.conditionExpression(Conditions.ABSENT));
    try {
      table.client().putItem(put.build());
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }
}
