package social.feed.streams.effect;

import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of effect, as the plan declares it.
 *
 * @param name the name that dead letters carry as their handler. It is stored in queues, so it
 *     stays when the class gets another name
 * @param effect the record
 * @param handler makes the handler; empty for what the counts lane applies itself
 */
public record EffectType<E extends Effect>(
    String name, Class<E> effect, Optional<Function<EffectContext, EffectHandler<E>>> handler) {

  /** A kind of effect that the effects lane applies with a handler. */
  public static <E extends Effect> EffectType<E> of(
      String name, Class<E> effect, Function<EffectContext, EffectHandler<E>> handler) {
    return new EffectType<>(name, effect, Optional.of(handler));
  }

  /** A kind of effect that the counts lane applies. */
  public static <E extends Effect> EffectType<E> counted(String name, Class<E> effect) {
    return new EffectType<>(name, effect, Optional.empty());
  }
}
