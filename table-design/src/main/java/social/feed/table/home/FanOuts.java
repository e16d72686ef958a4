package social.feed.table.home;

import static java.util.Objects.requireNonNull;
import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Keys;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The progress of fan-outs. */
public final class FanOuts {
  private static final RecordSchema<FanOutPlan> PLAN = RecordSchema.of(FanOutPlan.class);
  private static final RecordSchema<FanOutChunk> CHUNK = RecordSchema.of(FanOutChunk.class);
  private static final int CHUNKS_OF_A_READ_UNIT = 14;
  private static final AttributeValue TRUE = AttributeValue.fromBool(true);

  private final Table table;
  private final PartitionQueries partitions;

  public FanOuts(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
  }

  /** Begins a fan-out in chunks, or returns the one begun before. One write unit. */
  public FanOutPlan begin(FanOutPlan plan) {
    return insert(plan).orElse(plan);
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
    replace(planned, planned);
  }

  /**
   * Notes that a fan-out cannot begin and no retry helps, unless its whole audience was cut into
   * chunks or served before. A fan-out that has begun stays the same one, so a redrive goes on
   * behind its last chunk. One write unit.
   */
  public void fail(FanOutPlan failed) {
    insert(failed)
        .filter(before -> before.plannedAt() == null)
        .ifPresent(before -> replace(before, before.failed(requireNonNull(failed.failedAt()))));
  }

  private void insertOrComplete(FanOutPlan plan) {
    insert(plan)
        .filter(before -> before.plannedAt() == null)
        .ifPresent(before -> replace(before, plan));
  }

  /** Replaces a fan-out, if it is still there. */
  private void replace(FanOutPlan before, FanOutPlan plan) {
    table.put(plan, equal(FanOutPlan.STARTED_AT, before.startedAt()).and(isOfItsPlan(before)));
  }

  /** Holds while the row is of the same plan. One of an earlier version has no id. */
  private static Condition isOfItsPlan(Row row) {
    return same(FanOutPlan.PLAN_ID, RowCodec.encode(row).get(FanOutPlan.PLAN_ID));
  }

  private Optional<FanOutPlan> insert(FanOutPlan plan) {
    return table.put(plan, absent().returningItem()).existing(plan.key()).map(PLAN::mapToItem);
  }

  /**
   * Adds a chunk, or returns the one that has its number already, of whatever plan. One write unit.
   */
  public FanOutChunk add(FanOutChunk chunk) {
    return table
        .put(chunk, absent().returningItem())
        .existing(chunk.key())
        .map(CHUNK::mapToItem)
        .orElse(chunk);
  }

  /**
   * Returns the chunk that was added last, of whatever plan, strongly consistent. One read unit.
   */
  public Optional<FanOutChunk> lastChunk(String postId) {
    return lastChunks(postId, 1).findFirst();
  }

  /**
   * Returns the last chunk of a plan, strongly consistent. One read unit for each 4 KB of it and of
   * the later chunks of other plans.
   */
  public Optional<FanOutChunk> lastChunk(FanOutPlan plan) {
    return lastChunks(plan.postId(), CHUNKS_OF_A_READ_UNIT)
        .filter(chunk -> chunk.isOf(plan))
        .findFirst();
  }

  private Stream<FanOutChunk> lastChunks(String postId, int atATime) {
    return partitions
        .fromTheEnd(Keys.fanout(postId), Keys.CHUNKS, atATime)
        .flatMap(List::stream)
        .map(CHUNK::mapToItem);
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

  /**
   * Notes how a chunk ended, unless the chunk has expired. A chunk of a plan that was forgotten
   * ends nothing: its number may be that of a chunk of the next plan. One write unit.
   */
  public void end(
      FanOutChunk chunk, ChunkOutcome outcome, long written, long skipped, Instant now) {
    table.update(
        chunk.key(),
        new Update()
            .set(FanOutChunk.OUTCOME, outcome.name().toLowerCase(Locale.ROOT))
            .set(FanOutChunk.WRITTEN, written)
            .set(FanOutChunk.SKIPPED, skipped)
            .set(FanOutChunk.DONE_AT, now),
        present().and(isOfItsPlan(chunk)));
  }

  /** Deletes a fan-out. One write unit, and one for each chunk. */
  public void forget(String postId) {
    partitions.keys(Keys.fanout(postId), Keys.CHUNKS).forEach(table::deleteAll);
    table.deleteAll(List.of(FanOutPlan.key(postId)));
  }

  /**
   * Returns the progress of a fan-out, empty before it begins and after it expires. One read unit
   * for each 4 KB, about 14 chunks of 500 followers.
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

  /**
   * The chunks of the plan, not those of one that was forgotten. None where the audience was served
   * without chunks, even if it had been larger at first.
   */
  private Stream<FanOutChunk> chunks(FanOutPlan plan) {
    return plan.isServedAtOnce()
        ? Stream.empty()
        : partitions
            .items(Keys.fanout(plan.postId()), Keys.CHUNKS)
            .flatMap(List::stream)
            .map(CHUNK::mapToItem)
            .filter(chunk -> chunk.isOf(plan));
  }
}
