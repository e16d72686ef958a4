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
 * Removes items whose time to live is over, which DynamoDB does by itself and DynamoDB Local not
 * reliably. It walks through the table a page at a time and starts again at its end, so however
 * many items expire at once, no step reads or removes more than a page. Readers do not wait for it:
 * what has expired counts as absent.
 *
 * <p>An item is marked before it is deleted, so that its last image in the stream says who did it,
 * also to a reader of the stream a day later; {@link SweptRecords} makes of that what the service
 * says. Both writes hold only while the item is expired.
 */
final class ExpirySweep implements AutoCloseable {
  /** Marks what is about to be deleted. */
  static final String MARK = "swept";

  private static final Logger LOG = System.getLogger(ExpirySweep.class.getName());

  /** With a page each, a table of 100 000 items is walked through in eight minutes. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private static final int PAGE = 1_000;

  /** The service leaves alone what seems to have expired longer ago: rather a wrong number. */
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
   * @param page items read at a step
   */
  ExpirySweep(Table table, Clock clock, int page) {
    this.table = table;
    this.clock = clock;
    this.page = page;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("expiry").daemon().factory());
  }

  /** Sweeps until it is closed. */
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
      LOG.log(Level.WARNING, "Expired items stay a little longer", e);
    }
  }

  /** Goes through the next page; says how many items it removed. */
  int step() {
    int removed = 0;
    for (var key : nextExpired()) {
      if (!stopping && remove(key)) {
        removed++;
      }
    }
    return removed;
  }

  /** What has expired on the next page. */
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

  /** Whether it was still there and expired. */
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

  /** A writer that replaced the item meanwhile has replaced the mark. */
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

  /** Returns when no item is being removed any more. */
  @Override
  public void close() throws InterruptedException {
    stopping = true;
    timer.shutdown();
    if (!timer.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      timer.shutdownNow();
    }
  }
}
