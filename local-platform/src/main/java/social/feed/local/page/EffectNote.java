package social.feed.local.page;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.PublishHandler.Publish;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.row.Key;

/** An effect that a record of the stream causes. Guarded by the lock of {@link Xray}. */
final class EffectNote {
  private static final int MOST_CALLS = 200;

  final Trace trace;
  final String record;
  final Lane lane;
  final String name;

  /** What is counted and where, or which event is published; empty for any other effect. */
  final String what;

  final List<Call> calls = new ArrayList<>();
  @Nullable Double at;
  @Nullable Double endedAt;
  @Nullable String error;

  /** The effect itself, until it is done. */
  @Nullable Effect waiting;

  /** The number of requests whose effects were applied together with this one. */
  int sharedBy = 1;

  EffectNote(Trace trace, String record, Lane lane, Effect effect) {
    this.trace = trace;
    this.record = record;
    this.lane = lane;
    this.name = Plan.nameOf(effect);
    this.what = what(effect);
    this.waiting = effect;
  }

  private static String what(Effect effect) {
    return switch (effect) {
      case Count(Key item, String attribute, long delta) -> counted(item, attribute, delta);
      case CountOnce count -> counted(count.item(), count.attribute(), count.delta());
      case Publish(var event) -> event.type().eventName() + " " + event.entity();
      default -> "";
    };
  }

  private static String counted(Key item, String attribute, long delta) {
    return attribute + (delta < 0 ? " " : " +") + delta + " on " + item;
  }

  void add(Call call) {
    if (calls.size() < MOST_CALLS && trace.hasRoomFor(call)) {
      calls.add(call);
    } else {
      trace.omitted++;
    }
  }

  /** Notes that it is done, in milliseconds since the epoch. */
  void end(double now) {
    endedAt = now;
    waiting = null;
  }
}
