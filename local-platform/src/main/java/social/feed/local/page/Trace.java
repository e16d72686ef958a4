package social.feed.local.page;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one request did, as far as it is known. Guarded by the lock of {@link Xray}. */
final class Trace {
  /** The most that the texts of all its calls may take. */
  static final int MOST_BYTES = 200_000;

  private static final int MOST_CALLS = 400;
  private static final int MOST_RECORDS = 400;
  private static final int MOST_EFFECTS = 400;

  final String id;
  final String method;
  final String path;
  final double at;
  final List<Call> calls = new ArrayList<>();
  final List<RecordNote> records = new ArrayList<>();
  final List<EffectNote> effects = new ArrayList<>();
  String route = "";
  @Nullable String caller;
  @Nullable Integer status;
  double millis;

  private boolean isForgotten;
  private int bytes;
  private @Nullable Call latest;

  /** Calls, records and effects beyond the most that are kept. */
  int omitted;

  /**
   * A record of the stream that the request, or one of its effects, caused.
   *
   * @param seenAt when the event source read it, in milliseconds since the epoch
   */
  record RecordNote(
      String sequence, String event, String pk, String sk, String entity, double seenAt) {}

  Trace(String id, String method, String path, double at) {
    this.id = id;
    this.method = method;
    this.path = path;
    this.at = at;
  }

  void add(Call call) {
    if (calls.size() < MOST_CALLS && hasRoomFor(call)) {
      calls.add(call);
    } else {
      omitted++;
    }
  }

  /** Adds a record unless the trace is full. Returns whether it did. */
  boolean add(RecordNote record) {
    if (!isOpen()) {
      omitted++;
      return false;
    }
    return records.add(record);
  }

  /** Adds an effect unless the trace is full. Returns whether it did. */
  boolean add(EffectNote effect) {
    if (isForgotten || effects.size() == MOST_EFFECTS) {
      omitted++;
      return false;
    }
    return effects.add(effect);
  }

  /**
   * Returns whether the trace takes another record. The steps of an erasure cause each other, so
   * they would make it grow for days.
   */
  boolean isOpen() {
    return !isForgotten && records.size() < MOST_RECORDS;
  }

  /** Reserves memory for a call unless the trace is full. Returns whether it may be kept. */
  boolean hasRoomFor(Call call) {
    // Effects that are applied together get the same call, one after the other.
    if (call == latest) {
      return true;
    }
    if (isForgotten || bytes + call.size() > MOST_BYTES) {
      return false;
    }
    bytes += call.size();
    latest = call;
    return true;
  }

  /** Returns about how many bytes the calls take, those of the effects included. */
  int bytes() {
    return bytes;
  }

  /** Lets go of what it holds, and keeps nothing more. Effects that wait may still name it. */
  void forget() {
    isForgotten = true;
    bytes = 0;
    latest = null;
    calls.clear();
    records.clear();
    effects.forEach(effect -> effect.calls.clear());
    effects.clear();
  }
}
