package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect;

/**
 * Applies effects of one kind. Every effect may come again, alone or among others, and is then
 * applied without a trace. Handlers do not call handlers.
 *
 * @param <E> the kind
 */
@FunctionalInterface
public interface EffectHandler<E extends Effect> {
  /**
   * Applies effects that follow each other in the stream.
   *
   * @throws RuntimeException when at least one was not applied; all may then come again
   */
  void apply(List<E> effects);
}
