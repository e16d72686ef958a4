package social.feed.local.page;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.dynamodb.DynamodbAttributeValueTransformer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import social.feed.local.page.Trace.RecordNote;
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

  /** The most records that are kept, and the most effects that wait. */
  static final int RECORDS = 10_000;

  private static final double MILLIS = 1e3;
  private static final double NANOS_OF_A_MILLI = 1e6;

  private final Plan plan;
  private final boolean isOn;
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
  private final ExpectedWrites expected = new ExpectedWrites();

  /** The effects of each record that was seen, by its sequence number; also of those without. */
  private final Map<String, List<EffectNote>> ofRecord = bounded();

  /** The effects of the effects lane that wait, by what the handlers get. */
  private final Map<Effect, List<EffectNote>> waiting = bounded();

  /** When each record that a lane wants was read, until it is handled. */
  private final Map<Lane, Map<String, Double>> unhandled =
      Map.of(Lane.COUNTS, bounded(), Lane.EFFECTS, bounded());

  /**
   * @param plan the plan of the multiplexer
   * @param isOn whether anything is followed; otherwise nothing is kept, and no work is done
   */
  public Xray(Plan plan, boolean isOn) {
    this.plan = plan;
    this.isOn = isOn;
  }

  private static <K, V> Map<K, V> bounded() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > RECORDS;
      }
    };
  }

  /** Returns whether anything is followed. */
  public boolean isOn() {
    return isOn;
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
  Trace begin(CostMeter meter, Trace trace) {
    return isOn ? followed(meter, trace) : trace;
  }

  private synchronized Trace followed(CostMeter meter, Trace trace) {
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
  @Nullable Watch watchOf(CostMeter meter) {
    if (!isOn) {
      return null;
    }
    synchronized (this) {
      return watches.get(meter);
    }
  }

  /** Expects the records of writes that begin. */
  synchronized void expect(Watch watch, List<Write> writes) {
    for (var write : writes) {
      var of = watch.tracesOf(write.key()).stream().filter(Trace::isOpen).toList();
      if (!of.isEmpty()) {
        expected.add(write, of, now());
      }
    }
  }

  /** Expects no records of writes that failed. */
  synchronized void forget(List<Write> writes) {
    writes.forEach(expected::forget);
  }

  /**
   * Notes that the event source has read a record for a lane. The two lanes read each record.
   *
   * @param isWanted whether the lane gets it
   */
  public void seen(Lane lane, DynamodbStreamRecord record, boolean isWanted) {
    if (!isOn) {
      return;
    }
    var key = key(record);
    var sequence = sequence(record);
    boolean isExpected;
    synchronized (this) {
      if (isWanted) {
        unhandledOf(lane).put(sequence, now());
      }
      isExpected = !ofRecord.containsKey(sequence) && expected.contains(key);
    }
    // Outside of the lock, for which the requests wait.
    var change = isExpected ? change(record) : Optional.<Change>empty();
    var image = isExpected ? image(record) : OptionalInt.empty();
    synchronized (this) {
      if (!ofRecord.containsKey(sequence)) {
        var effects = new ArrayList<EffectNote>();
        ofRecord.put(sequence, effects);
        expected
            .take(key, record.getEventName(), image, now())
            .forEach(trace -> note(record, change, trace, effects));
      }
    }
  }

  private void note(
      DynamodbStreamRecord record, Optional<Change> change, Trace trace, List<EffectNote> effects) {
    var key = key(record);
    var sequence = sequence(record);
    boolean isKept =
        trace.add(
            new RecordNote(
                sequence,
                record.getEventName(),
                key.partition(),
                key.sort(),
                change.map(Xray::entity).orElse("?"),
                now()));
    if (!isKept || change.isEmpty()) {
      return;
    }
    for (var count : plan.counts(change.get())) {
      note(trace, sequence, Lane.COUNTS, count).ifPresent(effects::add);
    }
    for (var effect : plan.effects(change.get(), record)) {
      note(trace, sequence, Lane.EFFECTS, effect)
          .ifPresent(
              note -> {
                effects.add(note);
                waiting.computeIfAbsent(effect, _ -> new ArrayList<>()).add(note);
              });
    }
  }

  private static Optional<EffectNote> note(Trace trace, String sequence, Lane lane, Effect effect) {
    return Optional.of(new EffectNote(trace, sequence, lane, effect)).filter(trace::add);
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

  private static OptionalInt image(DynamodbStreamRecord record) {
    var image = record.getDynamodb().getNewImage();
    return image == null
        ? OptionalInt.empty()
        : OptionalInt.of(
            Writes.fingerprint(DynamodbAttributeValueTransformer.toAttributeValueMapV2(image)));
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
    if (!isOn) {
      return response;
    }
    var failed = new HashSet<String>();
    response.getBatchItemFailures().forEach(failure -> failed.add(failure.getItemIdentifier()));
    handled(lane, records(event).stream().map(Xray::sequence).toList(), failed);
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
          stopWaiting(note);
          note.end(now);
        }
      }
    }
  }

  /** Another process may have applied the effect. */
  private void stopWaiting(EffectNote note) {
    if (note.waiting != null) {
      waiting.computeIfPresent(
          note.waiting,
          (_, notes) -> {
            notes.remove(note);
            return notes.isEmpty() ? null : notes;
          });
    }
  }

  private static List<DynamodbStreamRecord> records(DynamodbTimeWindowEvent event) {
    return event.getRecords() == null ? List.of() : event.getRecords();
  }

  private static String sequence(DynamodbStreamRecord record) {
    return record.getDynamodb().getSequenceNumber();
  }

  /** Runs what counts a batch. Its calls belong to the counts on the items that they write. */
  public <T> T counting(DynamodbTimeWindowEvent event, Supplier<T> application) {
    var ofItem = isOn ? countsByItem(records(event)) : Map.<Key, List<EffectNote>>of();
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

  private Map<Key, List<EffectNote>> countsByItem(List<DynamodbStreamRecord> records) {
    List<DynamodbStreamRecord> followed;
    synchronized (this) {
      followed =
          records.stream()
              .filter(record -> !ofRecord.getOrDefault(sequence(record), List.of()).isEmpty())
              .toList();
    }
    var counts = new LinkedHashMap<String, List<Count>>();
    followed.forEach(
        record ->
            change(record).ifPresent(change -> counts.put(sequence(record), plan.counts(change))));
    var ofItem = new HashMap<Key, List<EffectNote>>();
    synchronized (this) {
      counts.forEach(
          (sequence, all) ->
              all.forEach(
                  count ->
                      ofItem
                          .computeIfAbsent(count.item(), _ -> new ArrayList<>())
                          .addAll(countsOf(sequence, count))));
    }
    return ofItem;
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
        .filter(note -> count.equals(note.waiting))
        .toList();
  }

  /** Runs what applies effects of one kind together. Its calls belong to all of them. */
  public void applying(List<Effect> effects, Runnable application) {
    var notes = isOn ? waiting(effects) : List.<EffectNote>of();
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

  private synchronized List<EffectNote> waiting(List<Effect> effects) {
    return effects.stream()
        .distinct()
        .flatMap(effect -> waiting.getOrDefault(effect, List.of()).stream())
        .toList();
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
      ended(meter, notes, error);
    }
  }

  private synchronized void ended(CostMeter meter, List<EffectNote> notes, @Nullable String error) {
    watches.remove(meter);
    double now = now();
    for (var note : notes) {
      note.error = error;
      if (error == null) {
        note.end(now);
      } else {
        note.endedAt = null;
      }
    }
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

  /**
   * Returns how much each part keeps.
   *
   * @param requests the requests
   * @param bytes about how many bytes the calls of all requests take
   * @param records the records that were seen
   * @param waiting the effects that wait
   * @param expected the writes whose records were not seen
   * @param unhandled the records that the lanes have not handled
   */
  record Sizes(int requests, long bytes, int records, int waiting, int expected, int unhandled) {}

  synchronized Sizes sizes() {
    return new Sizes(
        traces.size(),
        traces.values().stream().mapToLong(Trace::bytes).sum(),
        ofRecord.size(),
        waiting.size(),
        expected.size(),
        unhandled.values().stream().mapToInt(Map::size).max().orElse(0));
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
