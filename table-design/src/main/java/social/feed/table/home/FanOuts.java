package social.feed.table.home;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Inserts;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Keys;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** How far the deliveries of posts are. */
public final class FanOuts {
  private static final RecordSchema<FanOutPlan> PLAN = RecordSchema.of(FanOutPlan.class);
  private static final RecordSchema<FanOutChunk> CHUNK = RecordSchema.of(FanOutChunk.class);

  private final Table table;
  private final PartitionQueries partitions;
  private final Inserts<FanOutPlan> plans;
  private final Inserts<FanOutChunk> chunks;

  public FanOuts(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
    this.plans = new Inserts<>(table, FanOutPlan.class);
    this.chunks = new Inserts<>(table, FanOutChunk.class);
  }

  /** Begins a delivery in parts, or finds it begun. One write unit. */
  public FanOutPlan begin(FanOutPlan plan) {
    return plans.putIfAbsent(plan).orElse(plan);
  }

  /**
   * Notes deliveries that were served at once, each once: a replay changes nothing, unless cutting
   * the audience had begun and it is small now. One write unit each.
   */
  public void served(Collection<FanOutPlan> complete) {
    for (var plan : complete) {
      plans
          .putIfAbsent(plan)
          .filter(before -> before.plannedAt() == null)
          .ifPresent(_ -> complete(plan));
    }
  }

  /** Notes that the whole audience was cut. One write unit. */
  public void complete(FanOutPlan planned) {
    table.putAll(List.of(planned));
  }

  /**
   * Notes that a delivery can never be begun as it is, unless its whole audience was cut or served
   * before. One write unit.
   */
  public void fail(FanOutPlan failed) {
    plans
        .putIfAbsent(failed)
        .filter(before -> before.plannedAt() == null)
        .ifPresent(_ -> complete(failed));
  }

  /** Adds a part, or finds the one that has its number. One write unit. */
  public FanOutChunk add(FanOutChunk chunk) {
    return chunks.putIfAbsent(chunk).orElse(chunk);
  }

  /** The part that was added last, strongly consistent. One read unit. */
  public Optional<FanOutChunk> lastChunk(String postId) {
    return table
        .client()
        .query(
            q ->
                q.tableName(table.name())
                    .consistentRead(true)
                    .scanIndexForward(false)
                    .limit(1)
                    .keyConditionExpression("#pk = :pk AND begins_with(#sk, :chunks)")
                    .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK))
                    .expressionAttributeValues(
                        Map.of(
                            ":pk", AttributeValue.fromS(Keys.fanout(postId)),
                            ":chunks", AttributeValue.fromS(Keys.CHUNKS))))
        .items()
        .stream()
        .map(CHUNK::mapToItem)
        .findFirst();
  }

  /** Notes how a part ended; one that has expired is left alone. One write unit. */
  public void end(
      FanOutChunk chunk, ChunkOutcome outcome, long written, long skipped, Instant now) {
    var update =
        new SetExpression()
            .set(FanOutChunk.OUTCOME, AttributeValue.fromS(outcome.name().toLowerCase(Locale.ROOT)))
            .set(FanOutChunk.WRITTEN, AttributeValue.fromN(Long.toString(written)))
            .set(FanOutChunk.SKIPPED, AttributeValue.fromN(Long.toString(skipped)))
            .set(FanOutChunk.DONE_AT, AttributeValue.fromS(Timestamps.format(now)));
    try {
      table
          .client()
          .updateItem(
              update.request().tableName(table.name()).key(KeyAttributes.of(chunk.key())).build());
    } catch (ConditionalCheckFailedException e) {
      // Expired: nobody asks any more.
      return;
    }
  }

  /** Forgets a delivery. One write unit, and one for each part. */
  public void forget(String postId) {
    partitions.keys(Keys.fanout(postId), Keys.CHUNKS).forEach(table::deleteAll);
    table.deleteAll(List.of(FanOutPlan.key(postId)));
  }

  /**
   * How far a delivery is, empty while it has not begun, and once it has expired. One read unit for
   * each 4 KB, some 15 parts of 500 followers.
   */
  public Optional<FanOutProgress> progress(String postId, Instant now) {
    return table
        .get(FanOutPlan.key(postId))
        .map(PLAN::mapToItem)
        .filter(plan -> plan.expiresAt() > now.getEpochSecond())
        .map(
            plan ->
                chunks(plan)
                    .reduce(FanOutProgress.of(plan), FanOutProgress::with, (one, _) -> one));
  }

  /** None where the audience was served at once, also when it had been larger at first. */
  private Stream<FanOutChunk> chunks(FanOutPlan plan) {
    return plan.isServedAtOnce()
        ? Stream.empty()
        : partitions
            .items(Keys.fanout(plan.postId()), Keys.CHUNKS)
            .flatMap(List::stream)
            .map(CHUNK::mapToItem);
  }
}
