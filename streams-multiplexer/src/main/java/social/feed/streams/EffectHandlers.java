package social.feed.streams;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectContext;
import social.feed.streams.effect.EffectHandler;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.EffectType;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.store.Table;

/** The handlers of all effects, as {@link Plan} declares them. */
public final class EffectHandlers {
  private final Map<Class<? extends Effect>, Supplier<EffectHandler<Effect>>> handlers;
  private final BatchSizes sizes;
  private final BiConsumer<List<Effect>, Runnable> around;

  /** Creates the handlers of a table. The plan says which events they get to publish. */
  public EffectHandlers(Table table, Clock clock, EffectSettings settings) {
    this.sizes = settings.sizes();
    this.handlers = new HashMap<>();
    this.around = (_, application) -> application.run();
    var context = new Once<>(() -> new EffectContext(table, clock, settings));
    Plan.effectTypes().forEach(type -> add(type, context));
  }

  private EffectHandlers(EffectHandlers same, BiConsumer<List<Effect>, Runnable> around) {
    this.handlers = same.handlers;
    this.sizes = same.sizes;
    this.around = around;
  }

  /**
   * Returns these handlers with something around them.
   *
   * @param around gets the effects that are applied together, and runs what applies them
   */
  public EffectHandlers around(BiConsumer<List<Effect>, Runnable> around) {
    return new EffectHandlers(this, around);
  }

  @SuppressWarnings("unchecked") // The key is the class of the effects that the handler takes.
  private void add(EffectType<?> type, Supplier<EffectContext> context) {
    type.handler()
        .ifPresent(
            handler ->
                handlers.put(
                    type.effect(),
                    new Once<>(() -> (EffectHandler<Effect>) handler.apply(context.get()))));
  }

  /**
   * Creates all handlers. Without this each is created with its first effect, and the stores that
   * they share with the first of all: a function of the counts lane has none.
   */
  public void createAll() {
    for (var handler : handlers.values()) {
      var _ = handler.get();
    }
  }

  /** Returns how much is done at a time. */
  BatchSizes sizes() {
    return sizes;
  }

  /**
   * Applies effects of one kind.
   *
   * @param effects at least one, all of the same class
   */
  public void apply(List<Effect> effects) {
    around.accept(effects, () -> handler(effects.getFirst()).apply(effects));
  }

  /** Records that an effect has become a dead letter, which applies it from then on. */
  public void deadLettered(Effect effect) {
    handler(effect).deadLettered(effect);
  }

  /** Applies an effect that became a dead letter. */
  public void applyLate(Effect effect) {
    handler(effect).applyLate(effect);
  }

  private EffectHandler<Effect> handler(Effect effect) {
    var handler = handlers.get(effect.getClass());
    if (handler == null) {
      throw new IllegalArgumentException("The plan declares no handler for " + effect);
    }
    return handler.get();
  }

  /** Creates a value when it is first asked for, once. */
  private static final class Once<T> implements Supplier<T> {
    private final Supplier<T> creation;
    private volatile @Nullable T created;

    Once(Supplier<T> creation) {
      this.creation = creation;
    }

    @Override
    public T get() {
      var there = created;
      return there == null ? create() : there;
    }

    private synchronized T create() {
      var there = created;
      if (there == null) {
        there = creation.get();
        created = there;
      }
      return there;
    }
  }
}
