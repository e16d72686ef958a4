package social.feed.local.page;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.local.page.RowReader.StoredRow;
import social.feed.local.page.Trace.RecordNote;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.UnitPrices;
import social.feed.table.row.Key;

/**
 * What a request did, as the page reads it. Times are in milliseconds, those of calls, records and
 * effects since the request began.
 *
 * @param request status, duration and cost
 * @param calls the calls of the request itself
 * @param records the records of the stream, in their order
 * @param effects the effects of the records, in the order of the records
 * @param rows the rows that were written, as they are now, in the order of their first write
 * @param pending the number of effects that are not done
 * @param doneMs when the last effect was done, null as long as there is none
 * @param omitted calls, records and effects beyond the most that are kept
 */
record TraceView(
    Summary request,
    List<CallView> calls,
    List<RecordView> records,
    List<EffectView> effects,
    List<StoredRow> rows,
    int pending,
    @Nullable Double doneMs,
    int omitted) {
  private static final int MOST_ROWS = 200;

  /** A request in a line. The units of effects that several requests share are divided. */
  record Summary(
      String id,
      String method,
      String path,
      String route,
      @Nullable String caller,
      @Nullable Integer status,
      double at,
      double millis,
      ConsumedUnits units,
      ConsumedUnits effectUnits,
      double dollars) {}

  /** A call with its cost, and the keys that it wrote. */
  record CallView(
      double startMs,
      double millis,
      CallText request,
      List<Key> written,
      @Nullable Integer items,
      Map<String, Double> units,
      ConsumedUnits total,
      @Nullable String error) {
    private static CallView of(Call call, Trace trace) {
      return new CallView(
          call.at() - trace.at,
          call.millis(),
          call.request(),
          call.written(),
          call.items(),
          call.units(),
          call.total(),
          call.error());
    }
  }

  /** A record with the time at which it was read from the stream. */
  record RecordView(
      String sequence, String event, String pk, String sk, String entity, double seenMs) {}

  /** An effect, where and when it was applied, and what it called. */
  record EffectView(
      String record,
      String lane,
      String name,
      String what,
      @Nullable Double startMs,
      @Nullable Double endMs,
      int sharedBy,
      @Nullable String error,
      List<CallView> calls) {}

  /** Returns a request in a line. */
  static Summary summary(Trace trace) {
    var units = sum(trace.calls);
    var ofEffects = ConsumedUnits.NONE;
    for (var effect : trace.effects) {
      // Effects that were applied together have the same calls.
      var one = sum(effect.calls);
      int together = sameCalls(trace, effect) * effect.sharedBy;
      ofEffects = ofEffects.plus(new ConsumedUnits(one.read() / together, one.write() / together));
    }
    return new Summary(
        trace.id,
        trace.method,
        trace.path,
        trace.route,
        trace.caller,
        trace.status,
        trace.at,
        trace.millis,
        units,
        ofEffects,
        UnitPrices.US_EAST_1.of(units.plus(ofEffects)));
  }

  private static int sameCalls(Trace trace, EffectNote effect) {
    return effect.calls.isEmpty()
        ? 1
        : (int)
            trace.effects.stream()
                .filter(
                    other ->
                        !other.calls.isEmpty() && other.calls.getFirst() == effect.calls.getFirst())
                .count();
  }

  private static ConsumedUnits sum(List<Call> calls) {
    return calls.stream().map(Call::total).reduce(ConsumedUnits.NONE, ConsumedUnits::plus);
  }

  /** Returns everything that is known of a request, without its rows. */
  static Unread of(Trace trace) {
    var keys = new LinkedHashSet<Key>();
    trace.calls.forEach(call -> keys.addAll(call.written()));
    var effects = new ArrayList<EffectView>();
    for (var effect : trace.effects) {
      effect.calls.forEach(call -> keys.addAll(call.written()));
      effects.add(
          new EffectView(
              effect.record,
              effect.lane.name().toLowerCase(Locale.ROOT),
              effect.name,
              effect.what,
              since(trace, effect.at),
              since(trace, effect.endedAt),
              effect.sharedBy,
              effect.error,
              effect.calls.stream().map(call -> CallView.of(call, trace)).toList()));
    }
    return new Unread(
        new TraceView(
            summary(trace),
            trace.calls.stream().map(call -> CallView.of(call, trace)).toList(),
            trace.records.stream().map(record -> view(record, trace)).toList(),
            effects,
            List.of(),
            (int) effects.stream().filter(effect -> effect.endMs() == null).count(),
            effects.stream()
                .map(EffectView::endMs)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null),
            trace.omitted),
        keys);
  }

  private static RecordView view(RecordNote record, Trace trace) {
    return new RecordView(
        record.sequence(),
        record.event(),
        record.pk(),
        record.sk(),
        record.entity(),
        record.seenAt() - trace.at);
  }

  private static @Nullable Double since(Trace trace, @Nullable Double at) {
    return at == null ? null : at - trace.at;
  }

  /** A view whose rows are still to be read. */
  record Unread(TraceView view, Set<Key> keys) {
    /** Returns the view with its rows, at most {@value TraceView#MOST_ROWS}. */
    TraceView with(RowReader rows) {
      return new TraceView(
          view.request,
          view.calls,
          view.records,
          view.effects,
          rows.at(keys.stream().limit(MOST_ROWS).toList()),
          view.pending,
          view.doneMs,
          view.omitted + Math.max(0, keys.size() - MOST_ROWS));
    }
  }
}
