package social.feed.streams.lambda;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.spi.LoggingEventBuilder;
import social.feed.streams.RecordFields;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.log.EmbeddedMetrics;
import social.feed.table.log.PlatformMetric;
import social.feed.table.log.Pseudonyms;

/**
 * Logs a line for each invocation: the hashes of the items whose changes it handled, which the API
 * logs with the request that wrote them, and the units, which CloudWatch turns into metrics of the
 * lane.
 */
final class InvocationLog {
  private static final Logger LOG = LoggerFactory.getLogger(InvocationLog.class);

  /** Items in a line. A line of 1 000 has 17 KB. */
  private static final int ITEMS = 1_000;

  private final String table;
  private final Clock clock;

  /**
   * @param table the name of the table
   */
  InvocationLog(String table, Clock clock) {
    this.table = table;
    this.clock = clock;
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
    var meter = new CostMeter();
    long begin = clock.millis();
    try {
      var response = meter.measure(invocation);
      log(lane, event, meter, begin, again(response));
      return response;
    } catch (RuntimeException e) {
      // Lambda logs the failure itself.
      log(lane, event, meter, begin, "all");
      throw e;
    } finally {
      MDC.remove("invocation");
      MDC.remove("lane");
    }
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
      Lane lane, DynamodbTimeWindowEvent event, CostMeter meter, long begin, String again) {
    var records = event.getRecords() == null ? List.<DynamodbStreamRecord>of() : event.getRecords();
    var units = meter.consumed();
    var fields =
        new EmbeddedMetrics(table, PlatformMetric.Dimension.LANE, lane.alias())
            .sum(PlatformMetric.LANE_READ_UNITS, units.read())
            .sum(PlatformMetric.LANE_WRITE_UNITS, units.write())
            .fields(clock.instant());
    fields.put("records", records.size());
    fields.put("ms", clock.millis() - begin);
    if (!again.isEmpty()) {
      fields.put("again", again);
    }
    var line = LOG.atInfo();
    for (var field : fields.entrySet()) {
      line = line.addKeyValue(field.getKey(), field.getValue());
    }
    addItems(line, records, 0).log("Batch");
    for (int from = ITEMS; from < records.size(); from += ITEMS) {
      addItems(LOG.atInfo(), records, from).log("Batch, continued");
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
