package social.feed.local.page;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one request did, as far as it is known. Guarded by the lock of {@link Xray}. */
final class Trace {
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
    add(calls, call, MOST_CALLS);
  }

  void add(RecordNote record) {
    add(records, record, MOST_RECORDS);
  }

  void add(EffectNote effect) {
    add(effects, effect, MOST_EFFECTS);
  }

  /** Lets go of what it holds, and keeps nothing more. Effects that wait may still name it. */
  void forget() {
    isForgotten = true;
    calls.clear();
    records.clear();
    effects.clear();
  }

  private <T> void add(List<T> list, T one, int most) {
    if (!isForgotten && list.size() < most) {
      list.add(one);
    } else {
      omitted++;
    }
  }
}
