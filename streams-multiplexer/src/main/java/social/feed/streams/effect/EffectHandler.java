package social.feed.streams.effect;

import java.util.List;

/**
 * Applies effects of one kind. An effect may come again, alone or with others. Applying it again
 * changes nothing. Handlers do not call handlers.
 *
 * @param <E> the kind of effect
 */
@FunctionalInterface
public interface EffectHandler<E extends Effect> {
  /**
   * Applies effects in their order. Those of one partition key follow each other in the stream.
   *
   * @throws RuntimeException when at least one was not applied; all may then come again
   */
  void apply(List<E> effects);

  /** Records that an effect has become a dead letter, where a reader can query that. */
  default void deadLettered(E effect) {}

  /**
   * Applies an effect that became a dead letter earlier. This process may have other settings than
   * the lanes, such as for erasures.
   */
  default void applyLate(E effect) {
    apply(List.of(effect));
  }
}
