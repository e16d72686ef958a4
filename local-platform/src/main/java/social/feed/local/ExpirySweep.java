package social.feed.local;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Removes items whose time to live is over. DynamoDB does that by itself, DynamoDB Local not
 * reliably. The sweep scans the table one page at a time and starts again at its end. So no step
 * reads or removes more than a page, however many items expire at once. Readers do not depend on
 * it, because expired items count as absent.
 *
 * <p>The sweep marks an item before it deletes it. The last image in the stream then identifies the
 * sweep, even if the stream is read a day later. {@link SweptRecords} converts such a removal to
 * one by the service. Both writes have the condition that the item is still expired.
 */
final class ExpirySweep implements AutoCloseable {
  /** The attribute that marks an item before its deletion. */
  static final String MARK = "swept";

  private static final Logger LOG = System.getLogger(ExpirySweep.class.getName());

  /** The pause between pages. A table of 100 000 items is scanned in eight minutes. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private static final int PAGE = 1_000;

  /** The service ignores times further in the past, which are probably wrong numbers. */
  private static final Duration OLDEST = Duration.ofDays(5 * 365);

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String EXPIRED = "#ttl BETWEEN :oldest AND :now";

  private final Table table;
  private final Clock clock;
  private final int page;
  private final ScheduledExecutorService timer;
  private Map<String, AttributeValue> position = Map.of();
  private volatile boolean stopping;

  /**
   * @param page number of items that a step reads
   */
  ExpirySweep(Table table, Clock clock, int page) {
    this.table = table;
    this.clock = clock;
    this.page = page;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("expiry").daemon().factory());
  }

  /** Starts a sweep that runs until it is closed. */
  static ExpirySweep start(Table table) {
    var sweep = new ExpirySweep(table, Clock.systemUTC(), PAGE);
    var _ =
        sweep.timer.scheduleWithFixedDelay(
            sweep::tryStep, PAUSE.toSeconds(), PAUSE.toSeconds(), TimeUnit.SECONDS);
    return sweep;
  }

  private void tryStep() {
    try {
      step();
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "A sweep of expired items failed. The next one retries in " + PAUSE.toSeconds() + " s.",
          e);
    }
  }

  /** Scans the next page and returns the number of items that it removed. */
  int step() {
    int removed = 0;
    for (var key : nextExpired()) {
      if (!stopping && remove(key)) {
        removed++;
      }
    }
    return removed;
  }

  /** Returns the keys of the expired items on the next page. */
  List<Key> nextExpired() {
    var scan =
        ScanRequest.builder()
            .tableName(table.name())
            .limit(page)
            .projectionExpression("#pk, #sk")
            .filterExpression(EXPIRED)
            .expressionAttributeNames(
                Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK, "#ttl", BaseTable.TTL))
            .expressionAttributeValues(times());
    if (!position.isEmpty()) {
      scan.exclusiveStartKey(position);
    }
    var found = table.client().scan(scan.build());
    position = found.lastEvaluatedKey();
    return found.items().stream().map(KeyAttributes::key).toList();
  }

  /** Removes an item. Returns whether the item still existed and was expired. */
  boolean remove(Key key) {
    try {
      mark(key);
      delete(key);
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  private void mark(Key key) {
    table
        .client()
        .updateItem(
            u ->
                u.tableName(table.name())
                    .key(KeyAttributes.of(key))
                    .updateExpression("SET #mark = :now")
                    .conditionExpression(EXPIRED)
                    .expressionAttributeNames(Map.of("#mark", MARK, "#ttl", BaseTable.TTL))
                    .expressionAttributeValues(times()));
  }

  /**
   * Deletes the item if it still has the mark: a concurrent write that replaces the item removes
   * the mark.
   */
  private void delete(Key key) {
    table
        .client()
        .deleteItem(
            d ->
                d.tableName(table.name())
                    .key(KeyAttributes.of(key))
                    .conditionExpression("attribute_exists(#mark) AND " + EXPIRED)
                    .expressionAttributeNames(Map.of("#mark", MARK, "#ttl", BaseTable.TTL))
                    .expressionAttributeValues(times()));
  }

  private Map<String, AttributeValue> times() {
    var now = clock.instant();
    return Map.of(
        ":oldest", AttributeValue.fromN(Long.toString(now.minus(OLDEST).getEpochSecond())),
        ":now", AttributeValue.fromN(Long.toString(now.getEpochSecond())));
  }

  /** Stops the sweep and returns when no removal runs. */
  @Override
  public void close() throws InterruptedException {
    stopping = true;
    timer.shutdown();
    if (!timer.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      timer.shutdownNow();
    }
  }
}
