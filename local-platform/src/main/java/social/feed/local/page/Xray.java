package social.feed.local.page;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.dynamodb.DynamodbAttributeValueTransformer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import social.feed.local.page.Trace.RecordNote;
import social.feed.local.page.Writes.Kind;
import social.feed.local.page.Writes.Write;
import social.feed.streams.change.Change;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.Effect;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.row.Key;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Follows each request of the API to the last of its effects: the calls of DynamoDB, the records of
 * the stream, the effects that the plan has for them, and the calls of these. In memory, for the
 * last requests. On the local platform only.
 *
 * <p>A record belongs to the request that wrote its item: of several writes of one item that are
 * under way at the same time, to the put with its image, or else to the first one. So two requests
 * that update one counter within milliseconds may be swapped.
 */
public final class Xray {
  /** The most requests that are kept. */
  static final int REQUESTS = 300;

  /** The most records and expected writes that are kept. */
  private static final int MOST = 20_000;

  /** The most writes of one item that are expected at a time. */
  private static final int MOST_OF_A_KEY = 200;

  /** A write that changes nothing has no record. */
  private static final Duration EXPECTED_FOR = Duration.ofSeconds(30);

  private static final double MILLIS = 1e3;
  private static final double NANOS_OF_A_MILLI = 1e6;

  private final Plan plan;
  private final XrayCalls calls = new XrayCalls(this);
  private final Map<String, Trace> traces =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Trace> eldest) {
          if (size() > REQUESTS) {
            eldest.getValue().forget();
          }
          return size() > REQUESTS;
        }
      };
  private final Map<CostMeter, Watch> watches = new WeakHashMap<>();
  private final Map<Key, Deque<Expected>> expected = bounded(MOST);

  /** The effects of each record that was seen, by its sequence number; also of those without. */
  private final Map<String, List<EffectNote>> ofRecord = bounded(MOST);

  /** The effects of the effects lane that wait, by what the handlers get. */
  private final Map<Effect, List<EffectNote>> waiting = bounded(MOST);

  /** When each record that a lane wants was read, until it is handled. */
  private final Map<Lane, Map<String, Double>> unhandled =
      Map.of(Lane.COUNTS, bounded(MOST), Lane.EFFECTS, bounded(MOST));

  /** A write whose record has not been seen. */
  private record Expected(Write write, List<Trace> traces, double at) {
    boolean fits(String event) {
      return (write.kind() == Kind.DELETE) == event.equals("REMOVE");
    }
  }

  /**
   * @param plan the plan of the multiplexer
   */
  public Xray(Plan plan) {
    this.plan = plan;
  }

  private static <K, V> Map<K, V> bounded(int most) {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }

  /** Returns the time in milliseconds since the epoch, with fractions. */
  static double now() {
    var now = Instant.now();
    return now.getEpochSecond() * MILLIS + now.getNano() / NANOS_OF_A_MILLI;
  }

  /** Returns what a client needs to have its calls recorded, after the meter of cost. */
  public ExecutionInterceptor calls() {
    return calls;
  }

  /** Begins to follow a request whose calls a meter measures. */
  synchronized Trace begin(CostMeter meter, Trace trace) {
    traces.put(trace.id, trace);
    watches.put(
        meter,
        new Watch() {
          @Override
          public void ended(Call call) {
            synchronized (Xray.this) {
              trace.add(call);
            }
          }

          @Override
          public List<Trace> tracesOf(Key written) {
            return List.of(trace);
          }
        });
    return trace;
  }

  /** Notes the response of a request. */
  synchronized void end(Trace trace, String route, @Nullable String caller, int status) {
    trace.route = route;
    trace.caller = caller;
    trace.status = status;
    trace.millis = now() - trace.at;
  }

  /** Returns what receives the calls that a meter measures, null for calls that are not watched. */
  synchronized @Nullable Watch watchOf(CostMeter meter) {
    return watches.get(meter);
  }

  /** Expects the records of writes that begin. */
  synchronized void expect(Watch watch, List<Write> writes) {
    for (var write : writes) {
      var of = watch.tracesOf(write.key());
      if (!of.isEmpty()) {
        var ofKey = expected.computeIfAbsent(write.key(), _ -> new ArrayDeque<>());
        // Another process may see the records, and then no one removes these.
        if (ofKey.size() == MOST_OF_A_KEY) {
          ofKey.removeFirst();
        }
        ofKey.add(new Expected(write, of, now()));
      }
    }
  }

  /** Expects no records of writes that failed. */
  synchronized void forget(List<Write> writes) {
    for (var write : writes) {
      var ofKey = expected.get(write.key());
      if (ofKey != null) {
        ofKey.removeIf(each -> each.write == write);
        if (ofKey.isEmpty()) {
          expected.remove(write.key());
        }
      }
    }
  }

  /**
   * Notes that the event source has read a record for a lane. The two lanes read each record.
   *
   * @param isWanted whether the lane gets it
   */
  public synchronized void seen(Lane lane, DynamodbStreamRecord record, boolean isWanted) {
    var sequence = record.getDynamodb().getSequenceNumber();
    if (isWanted) {
      unhandledOf(lane).put(sequence, now());
    }
    if (!ofRecord.containsKey(sequence)) {
      var effects = new ArrayList<EffectNote>();
      ofRecord.put(sequence, effects);
      writerOf(record).forEach(trace -> note(record, trace, effects));
    }
  }

  private List<Trace> writerOf(DynamodbStreamRecord record) {
    var key = key(record);
    var writes = expected.get(key);
    if (writes == null) {
      return List.of();
    }
    double oldest = now() - EXPECTED_FOR.toMillis();
    writes.removeIf(each -> each.at < oldest);
    var image = image(record);
    var fitting = writes.stream().filter(each -> each.fits(record.getEventName())).toList();
    var found =
        fitting.stream()
            .filter(each -> each.write.kind() == Kind.PUT && each.write.item().equals(image))
            .findFirst()
            .or(() -> fitting.stream().findFirst());
    found.ifPresent(writes::remove);
    if (writes.isEmpty()) {
      expected.remove(key);
    }
    return found.map(Expected::traces).orElse(List.of());
  }

  private void note(DynamodbStreamRecord record, Trace trace, List<EffectNote> effects) {
    var key = key(record);
    var sequence = record.getDynamodb().getSequenceNumber();
    var change = change(record);
    trace.add(
        new RecordNote(
            sequence,
            record.getEventName(),
            key.partition(),
            key.sort(),
            change.map(Xray::entity).orElse("?"),
            now()));
    change.ifPresent(
        decoded -> {
          plan.counts(decoded)
              .forEach(count -> effects.add(note(trace, sequence, Lane.COUNTS, count)));
          plan.effects(decoded)
              .forEach(
                  effect -> {
                    var note = note(trace, sequence, Lane.EFFECTS, effect);
                    effects.add(note);
                    waiting.computeIfAbsent(effect, _ -> new ArrayList<>()).add(note);
                  });
        });
  }

  private static EffectNote note(Trace trace, String sequence, Lane lane, Effect effect) {
    var note = new EffectNote(trace, sequence, lane, effect);
    trace.add(note);
    return note;
  }

  private static Optional<Change> change(DynamodbStreamRecord record) {
    try {
      return Optional.of(ChangeDecoder.decode(record));
    } catch (RuntimeException e) {
      // Not for this class to handle: the lane makes it a dead letter.
      return Optional.empty();
    }
  }

  private static String entity(Change change) {
    return switch (change) {
      case Change.Inserted(var row) -> row.kind().name();
      case Change.Modified(_, var row) -> row.kind().name();
      case Change.Removed(var row) -> row.kind().name();
      case Change.Expired(var row) -> row.kind().name();
    };
  }

  private static Key key(DynamodbStreamRecord record) {
    var keys = record.getDynamodb().getKeys();
    return new Key(
        Objects.requireNonNull(keys.get(BaseTable.PK)).getS(),
        Objects.requireNonNull(keys.get(BaseTable.SK)).getS());
  }

  private static Map<String, AttributeValue> image(DynamodbStreamRecord record) {
    var image = record.getDynamodb().getNewImage();
    return image == null
        ? Map.of()
        : DynamodbAttributeValueTransformer.toAttributeValueMapV2(image);
  }

  /** Handles a batch of a lane. */
  @FunctionalInterface
  public interface BatchFunction {
    TimeWindowEventResponse handle() throws Exception;
  }

  /** Runs what handles a batch, and notes which effects are done then. */
  public TimeWindowEventResponse batch(
      Lane lane, DynamodbTimeWindowEvent event, BatchFunction function) throws Exception {
    var response = function.handle();
    var failed = new HashSet<String>();
    response.getBatchItemFailures().forEach(failure -> failed.add(failure.getItemIdentifier()));
    handled(lane, sequences(event), failed);
    return response;
  }

  /** Records from the first failure on come again. */
  private synchronized void handled(Lane lane, List<String> sequences, Set<String> failed) {
    double now = now();
    for (var sequence : sequences) {
      if (failed.contains(sequence)) {
        return;
      }
      unhandledOf(lane).remove(sequence);
      for (var note : ofRecord.getOrDefault(sequence, List.of())) {
        if (note.lane == lane && note.endedAt == null) {
          note.endedAt = now;
        }
      }
    }
  }

  private static List<String> sequences(DynamodbTimeWindowEvent event) {
    return event.getRecords() == null
        ? List.of()
        : event.getRecords().stream()
            .map(record -> record.getDynamodb().getSequenceNumber())
            .toList();
  }

  /** Runs what counts a batch. Its calls belong to the counts on the items that they write. */
  public <T> T counting(DynamodbTimeWindowEvent event, Supplier<T> application) {
    var ofItem = new HashMap<Key, List<EffectNote>>();
    synchronized (this) {
      for (var record :
          event.getRecords() == null ? List.<DynamodbStreamRecord>of() : event.getRecords()) {
        var sequence = record.getDynamodb().getSequenceNumber();
        if (!ofRecord.getOrDefault(sequence, List.of()).isEmpty()) {
          change(record)
              .ifPresent(
                  change ->
                      plan.counts(change)
                          .forEach(
                              count ->
                                  ofItem
                                      .computeIfAbsent(count.item(), _ -> new ArrayList<>())
                                      .addAll(countsOf(sequence, count))));
        }
      }
    }
    return ofItem.isEmpty()
        ? application.get()
        : applied(
            ofItem.values().stream().flatMap(List::stream).toList(),
            new Watch() {
              @Override
              public void ended(Call call) {
                synchronized (Xray.this) {
                  call.written().stream()
                      .flatMap(key -> counted(ofItem, key).stream())
                      .distinct()
                      .forEach(note -> note.add(call));
                }
              }

              @Override
              public List<Trace> tracesOf(Key written) {
                return traces(counted(ofItem, written));
              }
            },
            application);
  }

  /** The counts lane writes an item of its own for each shard below some items. */
  private static List<EffectNote> counted(Map<Key, List<EffectNote>> ofItem, Key written) {
    return ofItem.entrySet().stream()
        .filter(
            item ->
                item.getKey().partition().equals(written.partition())
                    && written.sort().startsWith(item.getKey().sort()))
        .flatMap(item -> item.getValue().stream())
        .toList();
  }

  private List<EffectNote> countsOf(String sequence, Count count) {
    return ofRecord.getOrDefault(sequence, List.of()).stream()
        .filter(note -> note.effect.equals(count))
        .toList();
  }

  /** Runs what applies effects of one kind together. Its calls belong to all of them. */
  public void applying(List<Effect> effects, Runnable application) {
    List<EffectNote> notes;
    synchronized (this) {
      notes =
          effects.stream()
              .distinct()
              .flatMap(effect -> waiting.getOrDefault(effect, List.of()).stream())
              .toList();
    }
    if (notes.isEmpty()) {
      application.run();
      return;
    }
    var traces = traces(notes);
    var _ =
        applied(
            notes,
            new Watch() {
              @Override
              public void ended(Call call) {
                synchronized (Xray.this) {
                  notes.forEach(note -> note.add(call));
                }
              }

              @Override
              public List<Trace> tracesOf(Key written) {
                return traces;
              }
            },
            () -> {
              application.run();
              return true;
            });
    synchronized (this) {
      effects.forEach(waiting::remove);
    }
  }

  private static List<Trace> traces(Collection<EffectNote> notes) {
    return notes.stream().map(note -> note.trace).distinct().toList();
  }

  private <T> T applied(List<EffectNote> notes, Watch watch, Supplier<T> application) {
    var meter = CostMeter.ofPart();
    int requests = traces(notes).size();
    synchronized (this) {
      watches.put(meter, watch);
      double now = now();
      notes.forEach(
          note -> {
            note.at = note.at == null ? now : note.at;
            note.sharedBy = requests;
          });
    }
    @Nullable String error = null;
    try {
      return meter.measure(application);
    } catch (RuntimeException e) {
      error = e.toString();
      throw e;
    } finally {
      ended(notes, error);
    }
  }

  private synchronized void ended(List<EffectNote> notes, @Nullable String error) {
    double now = now();
    notes.forEach(
        note -> {
          note.error = error;
          note.endedAt = error == null ? now : null;
        });
  }

  private Map<String, Double> unhandledOf(Lane lane) {
    return Objects.requireNonNull(unhandled.get(lane));
  }

  /** Returns how long the oldest record of a lane waits, in milliseconds. */
  public synchronized double lagMillis(Lane lane) {
    return unhandledOf(lane).values().stream().mapToDouble(Double::doubleValue).min().stream()
        .map(oldest -> Math.max(0, now() - oldest))
        .findFirst()
        .orElse(0);
  }

  /** Returns the number of records that a lane has read and not handled. */
  public synchronized int unhandled(Lane lane) {
    return unhandledOf(lane).size();
  }

  /** Returns something of all requests that are kept, the newest first. */
  synchronized <T> List<T> all(Function<Trace, T> view) {
    var all = traces.values().stream().map(view).toList();
    return all.reversed();
  }

  /** Returns something of a request; empty if it is not kept. */
  synchronized <T> Optional<T> one(String id, Function<Trace, T> view) {
    return Optional.ofNullable(traces.get(id)).map(view);
  }
}
