package social.feed.streams.effect;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import social.feed.table.row.Key;

/**
 * A kind of effect, as the plan declares it.
 *
 * @param name the name that dead letters carry as their handler. It is stored in queues, so it
 *     stays when the class gets another name
 * @param effect the record
 * @param handler makes the handler; empty for what the counts lane applies itself
 * @param item what an effect concerns, where it depends on the present state of that alone. Of the
 *     effects of one item in a batch, the last one then stands for all. Empty where each effect
 *     matters
 * @param shared the item that effects of many records write. They are applied one after the other,
 *     together where that can be, in any order. Empty where an effect keeps the order of its
 *     record's partition
 * @param row the row, or the subject of an event, among whose effects alone one of this kind needs
 *     an order. Empty where an effect keeps the order of its record's partition, and effects of one
 *     kind are only applied together where no other kind is between them
 * @param isCovered whether a later effect of that row in a batch, of whatever kind, stands for one
 *     of this kind
 */
public record EffectType<E extends Effect>(
    String name,
    Class<E> effect,
    Optional<Function<EffectContext, EffectHandler<E>>> handler,
    Optional<Function<E, Object>> item,
    Optional<Function<E, Key>> shared,
    Optional<Function<E, Optional<Object>>> row,
    boolean isCovered) {

  /** A kind of effect that the effects lane applies with a handler. */
  public static <E extends Effect> EffectType<E> of(
      String name, Class<E> effect, Function<EffectContext, EffectHandler<E>> handler) {
    return plain(name, effect, Optional.of(handler));
  }

  /** A kind of effect that the counts lane applies. */
  public static <E extends Effect> EffectType<E> counted(String name, Class<E> effect) {
    return plain(name, effect, Optional.empty());
  }

  private static <E extends Effect> EffectType<E> plain(
      String name, Class<E> effect, Optional<Function<EffectContext, EffectHandler<E>>> handler) {
    return new EffectType<>(
        name, effect, handler, Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  /** Returns this kind of effect with collapsing effects of one item. */
  public EffectType<E> collapses(Function<E, Object> of) {
    return new EffectType<>(name, effect, handler, Optional.of(of), shared, row, isCovered);
  }

  /** Returns this kind of effect with those on one item applied one after the other. */
  public EffectType<E> shares(Function<E, Key> of) {
    return new EffectType<>(name, effect, handler, item, Optional.of(of), row, isCovered);
  }

  /** Returns this kind of effect in the order of one row only, where an effect names one. */
  public EffectType<E> ofRow(Function<E, Optional<Object>> of) {
    return new EffectType<>(name, effect, handler, item, shared, Optional.of(of), isCovered);
  }

  /** Returns this kind of effect, left out where a later effect of its row is in the batch. */
  public EffectType<E> coveredByLaterOfRow() {
    return new EffectType<>(name, effect, handler, item, shared, row, true);
  }

  /** Returns the item of an effect of this kind; empty where each effect matters. */
  public Optional<Object> itemOf(Effect one) {
    return item.map(of -> of.apply(cast(one)));
  }

  /** Returns the item that an effect of this kind writes together with others. */
  public Optional<Key> sharedItemOf(Effect one) {
    return shared.map(of -> of.apply(cast(one)));
  }

  /** Returns the row or subject among whose effects alone an effect of this kind needs an order. */
  public Optional<Object> rowOf(Effect one) {
    return row.flatMap(of -> of.apply(cast(one)));
  }

  private E cast(Effect one) {
    return Objects.requireNonNull(effect.cast(one));
  }
}
