package social.feed.table.home;

import static java.util.Objects.requireNonNull;
import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Keys;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The progress of fan-outs. */
public final class FanOuts {
  private static final RecordSchema<FanOutPlan> PLAN = RecordSchema.of(FanOutPlan.class);
  private static final RecordSchema<FanOutChunk> CHUNK = RecordSchema.of(FanOutChunk.class);
  private static final AttributeValue TRUE = AttributeValue.fromBool(true);

  private final Table table;
  private final PartitionQueries partitions;

  public FanOuts(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
  }

  /**
   * A fan-out whose audience is to be cut into chunks.
   *
   * @param isNew whether no planner has begun it before; chunks that are there are then of a
   *     fan-out that was forgotten, and may not reach back to the first follower
   */
  public record Begun(FanOutPlan plan, boolean isNew) {}

  /** Begins a fan-out in chunks, or returns the one begun before. One write unit. */
  public Begun begin(FanOutPlan plan) {
    return insert(plan)
        .map(before -> new Begun(before, false))
        .orElseGet(() -> new Begun(plan, true));
  }

  /**
   * Notes fan-outs that were delivered without chunks, each once. A replay changes nothing, unless
   * the audience was being cut into chunks before and is small now. One write unit each.
   */
  public void served(Collection<FanOutPlan> complete) {
    for (var plan : complete) {
      insertOrComplete(plan);
    }
  }

  /**
   * Notes that the whole audience was cut into chunks, unless the fan-out was forgotten since it
   * began. Some of its chunks are gone then. The effect that forgot it cuts the whole audience
   * itself, and is repeated until it has. One write unit.
   */
  public void complete(FanOutPlan planned) {
    replace(planned.startedAt(), planned);
  }

  /**
   * Notes that a fan-out cannot begin and no retry helps, unless its whole audience was cut into
   * chunks or served before. A fan-out that has begun stays the same one, so a redrive goes on
   * behind its last chunk. One write unit.
   */
  public void fail(FanOutPlan failed) {
    insert(failed)
        .filter(before -> before.plannedAt() == null)
        .ifPresent(
            before ->
                replace(before.startedAt(), before.failed(requireNonNull(failed.failedAt()))));
  }

  private void insertOrComplete(FanOutPlan plan) {
    insert(plan)
        .filter(before -> before.plannedAt() == null)
        .ifPresent(before -> replace(before.startedAt(), plan));
  }

  /** Replaces the fan-out that began at a time, if it is still there. */
  private void replace(Instant startedAt, FanOutPlan plan) {
    table.put(plan, equal(FanOutPlan.STARTED_AT, startedAt));
  }

  private Optional<FanOutPlan> insert(FanOutPlan plan) {
    return table.put(plan, absent().returningItem()).existing(plan.key()).map(PLAN::mapToItem);
  }

  /** Adds a chunk, or returns the one that has its number already. One write unit. */
  public FanOutChunk add(FanOutChunk chunk) {
    return table
        .put(chunk, absent().returningItem())
        .existing(chunk.key())
        .map(CHUNK::mapToItem)
        .orElse(chunk);
  }

  /** Returns the chunk that was added last, strongly consistent. One read unit. */
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

  /**
   * Notes that an attempt to deliver a chunk begins. Must come before its first write. One write
   * unit, and none for a chunk that was never untried.
   *
   * @return whether it is the first attempt; of several, true for one at most
   */
  public boolean beginFirst(FanOutChunk chunk) {
    return chunk.untried() != null
        && table
            .update(
                chunk.key(),
                new Update().remove(FanOutChunk.UNTRIED),
                equal(FanOutChunk.UNTRIED, TRUE))
            .isDone();
  }

  /** Notes how a chunk ended, unless the chunk has expired. One write unit. */
  public void end(
      FanOutChunk chunk, ChunkOutcome outcome, long written, long skipped, Instant now) {
    table.update(
        chunk.key(),
        new Update()
            .set(FanOutChunk.OUTCOME, outcome.name().toLowerCase(Locale.ROOT))
            .set(FanOutChunk.WRITTEN, written)
            .set(FanOutChunk.SKIPPED, skipped)
            .set(FanOutChunk.DONE_AT, now),
        present());
  }

  /** Deletes a fan-out. One write unit, and one for each chunk. */
  public void forget(String postId) {
    partitions.keys(Keys.fanout(postId), Keys.CHUNKS).forEach(table::deleteAll);
    table.deleteAll(List.of(FanOutPlan.key(postId)));
  }

  /**
   * Returns the progress of a fan-out, empty before it begins and after it expires. One read unit
   * for each 4 KB, about 15 chunks of 500 followers.
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

  /** None where the audience was served without chunks, even if it had been larger at first. */
  private Stream<FanOutChunk> chunks(FanOutPlan plan) {
    return plan.isServedAtOnce()
        ? Stream.empty()
        : partitions
            .items(Keys.fanout(plan.postId()), Keys.CHUNKS)
            .flatMap(List::stream)
            .map(CHUNK::mapToItem);
  }
}
