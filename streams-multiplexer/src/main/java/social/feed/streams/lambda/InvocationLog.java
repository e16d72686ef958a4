package social.feed.streams.lambda;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.spi.LoggingEventBuilder;
import social.feed.streams.RecordFields;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.log.EmbeddedMetrics;
import social.feed.table.log.PlatformMetric;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;

/**
 * Logs a line for each invocation: the hashes of the items whose changes it handled, which the API
 * logs with the request that wrote them, the hashes of the parts of fan-outs that it wrote, which
 * come back as changes, and the units, dead letters and stuck removals, which CloudWatch turns into
 * metrics of the lane.
 */
final class InvocationLog {
  /** Items in a line. A line of 1 000 has 17 KB. */
  private static final int ITEMS = 1_000;

  /** Parts of fan-outs in a line. */
  private static final int PARTS = 200;

  private final String table;
  private final Clock clock;
  private final Logger logger;

  /** Of the invocation that runs; an instance has one at a time. */
  private final AtomicInteger deadLetters = new AtomicInteger();

  private final AtomicInteger stuckRemovals = new AtomicInteger();

  /**
   * @param table the name of the table
   */
  InvocationLog(String table, Clock clock) {
    this(table, clock, LoggerFactory.getLogger(InvocationLog.class));
  }

  InvocationLog(String table, Clock clock, Logger logger) {
    this.table = table;
    this.clock = clock;
    this.logger = logger;
  }

  /** Returns the same dead letters, whose number is logged with the invocation. */
  DeadLetters counted(DeadLetters stored) {
    return deadLetter -> {
      stored.send(deadLetter);
      deadLetters.incrementAndGet();
    };
  }

  /** Counts a removal of objects that has failed for more than a day. */
  void countStuckRemoval() {
    stuckRemovals.incrementAndGet();
  }

  /**
   * Runs an invocation. All its lines have its id and its lane.
   *
   * @param id the id of Lambda
   */
  TimeWindowEventResponse run(
      String id,
      Lane lane,
      DynamodbTimeWindowEvent event,
      Supplier<TimeWindowEventResponse> invocation) {
    MDC.put("invocation", id);
    MDC.put("lane", lane.alias());
    var suspicious = new AtomicInteger();
    var meter = new CostMeter(PARTS, item -> isPart(item, suspicious));
    long begin = clock.millis();
    // An invocation that fails comes again as a whole. Lambda logs the failure itself.
    var again = "all";
    try {
      var response = meter.measure(invocation);
      again = again(response);
      return response;
    } finally {
      try {
        log(lane, event, meter, suspicious.get(), begin, again);
      } finally {
        MDC.remove("invocation");
        MDC.remove("lane");
      }
    }
  }

  /**
   * Returns whether an item is a part of a fan-out or an order of the next part, which the stream
   * brings back to the lane.
   *
   * @param suspicious counts the rows of suspicious accounts
   */
  private static boolean isPart(Key item, AtomicInteger suspicious) {
    if (item.sort().equals(Keys.SUSPECT)) {
      suspicious.incrementAndGet();
    }
    return item.sort().startsWith(Keys.CHUNKS) || item.sort().startsWith(Keys.CLEAN_UPS);
  }

  private static String again(TimeWindowEventResponse response) {
    return response.getBatchItemFailures().isEmpty()
        ? ""
        : response.getBatchItemFailures().getFirst().getItemIdentifier();
  }

  /**
   * @param again the record from which on everything comes again; empty for none
   */
  private void log(
      Lane lane,
      DynamodbTimeWindowEvent event,
      CostMeter meter,
      int suspicious,
      long begin,
      String again) {
    var records = event.getRecords() == null ? List.<DynamodbStreamRecord>of() : event.getRecords();
    var units = meter.consumed();
    var fields =
        new EmbeddedMetrics(table, PlatformMetric.Dimension.LANE, lane.alias())
            .sum(PlatformMetric.LANE_READ_UNITS, units.read())
            .sum(PlatformMetric.LANE_WRITE_UNITS, units.write())
            .sum(PlatformMetric.LANE_DEAD_LETTERS, deadLetters.getAndSet(0))
            .sum(PlatformMetric.LANE_SUSPICIOUS, suspicious)
            .sum(PlatformMetric.LANE_STUCK_REMOVALS, stuckRemovals.getAndSet(0))
            .fields(clock.instant());
    fields.put("records", records.size());
    fields.put("ms", clock.millis() - begin);
    if (!again.isEmpty()) {
      fields.put("again", again);
    }
    if (!meter.written().isEmpty()) {
      fields.put("parts", Pseudonyms.ofItems(meter.written()));
    }
    if (meter.omitted() > 0) {
      fields.put("parts_omitted", meter.omitted());
    }
    var line = logger.atInfo();
    for (var field : fields.entrySet()) {
      line = line.addKeyValue(field.getKey(), field.getValue());
    }
    addItems(line, records, 0).log("Batch");
    for (int from = ITEMS; from < records.size(); from += ITEMS) {
      addItems(logger.atInfo(), records, from).log("Batch, continued");
    }
  }

  private static LoggingEventBuilder addItems(
      LoggingEventBuilder line, List<DynamodbStreamRecord> records, int from) {
    var part = records.subList(from, Math.min(records.size(), from + ITEMS));
    return line.addKeyValue(
        "items",
        Pseudonyms.ofItems(part.stream().flatMap(r -> RecordFields.item(r).stream()).toList()));
  }
}
