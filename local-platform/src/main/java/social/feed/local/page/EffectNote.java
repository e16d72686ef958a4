package social.feed.local.page;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.streams.effect.Effect;
import social.feed.streams.plan.Lane;
import social.feed.table.row.Key;

/** An effect that a record of the stream causes. Guarded by the lock of {@link Xray}. */
final class EffectNote {
  private static final int MOST_CALLS = 200;

  final Trace trace;
  final String record;
  final Lane lane;
  final Effect effect;
  final List<Call> calls = new ArrayList<>();
  @Nullable Double at;
  @Nullable Double endedAt;
  @Nullable String error;

  /** The number of requests whose effects were applied together with this one. */
  int sharedBy = 1;

  EffectNote(Trace trace, String record, Lane lane, Effect effect) {
    this.trace = trace;
    this.record = record;
    this.lane = lane;
    this.effect = effect;
  }

  /** Returns what is counted and where, empty for an effect that does not count. */
  String what() {
    return switch (effect) {
      case Count(Key item, String attribute, long delta) -> counted(item, attribute, delta);
      case CountOnce count -> counted(count.item(), count.attribute(), count.delta());
      default -> "";
    };
  }

  private static String counted(Key item, String attribute, long delta) {
    return attribute + (delta < 0 ? " " : " +") + delta + " on " + item;
  }

  void add(Call call) {
    if (calls.size() < MOST_CALLS) {
      calls.add(call);
    }
  }
}
