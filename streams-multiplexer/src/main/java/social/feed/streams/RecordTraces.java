package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.trace.StoredContext;
import social.feed.table.kernel.trace.Tracing;

/**
 * Continues the traces of the requests that put the items of a batch. A batch has at most {@value
 * #RECORDS} records with a trace, so that its spans are bounded.
 */
final class RecordTraces {
  /** The records of a batch that continue a trace. */
  static final int RECORDS = 20;

  /** Where tracing is off. */
  static final RecordTraces NONE = new RecordTraces(Optional.empty());

  private final Optional<Tracing> tracing;

  RecordTraces(Optional<Tracing> tracing) {
    this.tracing = tracing;
  }

  /**
   * Returns the contexts of the requests that made the changes, by the place of the record. An
   * update keeps the context that its item had, which is of an earlier request.
   */
  Map<Integer, SpanContext> of(List<DynamodbStreamRecord> records) {
    if (tracing.isEmpty()) {
      return Map.of();
    }
    var contexts = new HashMap<Integer, SpanContext>();
    for (int place = 0; place < records.size() && contexts.size() < RECORDS; place++) {
      int here = place;
      of(records.get(place)).ifPresent(context -> contexts.put(here, context));
    }
    return contexts;
  }

  private static Optional<SpanContext> of(DynamodbStreamRecord record) {
    if (record.getDynamodb() == null) {
      return Optional.empty();
    }
    var stored = stored(record.getDynamodb().getNewImage());
    return stored == null
            || stored.getB() == null
            || stored.equals(stored(record.getDynamodb().getOldImage()))
        ? Optional.empty()
        : StoredContext.read(stored.getB());
  }

  private static @Nullable AttributeValue stored(@Nullable Map<String, AttributeValue> image) {
    return image == null ? null : image.get(StoredContext.ATTRIBUTE);
  }

  /**
   * Applies effects in a span of a trace.
   *
   * @param request the context of the request that caused them; absent without a trace
   */
  void run(@Nullable SpanContext request, String effect, int number, Runnable effects) {
    if (request == null) {
      effects.run();
      return;
    }
    var context =
        tracing
            .orElseThrow()
            .begin(Context.root().with(Span.wrap(request)), SpanKind.CONSUMER, "effect " + effect);
    var span = Span.fromContext(context).setAttribute("feed.effects", number);
    try (var _ = context.makeCurrent()) {
      effects.run();
    } catch (RuntimeException e) {
      Tracing.fail(span, e);
      throw e;
    } finally {
      span.end();
    }
  }

  /**
   * Applies the counts of a batch. They are written together, so each trace has one span that lasts
   * as long as the batch, without its calls.
   *
   * @param counts returns the record that must come again
   */
  Optional<DynamodbStreamRecord> runCounts(
      List<DynamodbStreamRecord> records, Supplier<Optional<DynamodbStreamRecord>> counts) {
    if (tracing.isEmpty()) {
      return counts.get();
    }
    var counted =
        of(records.stream().filter(record -> LaneFilter.accepts(Lane.COUNTS, record)).toList());
    var begin = Clock.systemUTC().instant();
    var again = counts.get();
    var traces = new HashSet<String>();
    for (var request : counted.values()) {
      if (traces.add(request.getTraceId())) {
        tracing
            .get()
            .beganAt(begin, Context.root().with(Span.wrap(request)), SpanKind.CONSUMER, "counts")
            .setAttribute("feed.records", records.size())
            .setAttribute("feed.again", again.isPresent())
            .end();
      }
    }
    return again;
  }

  /** Returns whether two effects are of one trace, or of none. */
  static boolean isSame(@Nullable SpanContext one, @Nullable SpanContext another) {
    return Objects.equals(
        one == null ? null : one.getTraceId(), another == null ? null : another.getTraceId());
  }
}
