package social.feed.streams.plan;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectType;
import social.feed.table.kernel.schema.AttributeNames;
import social.feed.table.row.Row;

/**
 * A line of {@link Plan}: what one event of one row kind causes in one lane.
 *
 * @param event what happens to the row
 * @param attribute the attribute that must change for a modified row to have the effect; empty when
 *     every modification has it, and for all other events
 * @param lane which of the two readers of a shard applies the effect
 * @param effect the kind of effect
 * @param effects the effects of a change, in order; empty when a condition on the row does not hold
 */
public record EffectRule(
    Event event,
    Optional<ChangedAttribute> attribute,
    Lane lane,
    EffectType<?> effect,
    Effects effects) {

  /** The kind of a change of a row. */
  public enum Event {
    INSERT,
    MODIFY,
    /** The row was deleted by a caller. */
    REMOVE,
    /** The row was removed by its time to live. */
    EXPIRE;

    /** Whether stream records with this event name can be such events. */
    public boolean isNamed(String eventName) {
      return eventName.equals(this == EXPIRE ? REMOVE.name() : name());
    }
  }

  /** The effects of a change. */
  @FunctionalInterface
  public interface Effects {
    /**
     * Returns the effects of a change.
     *
     * @param before the row as it was; the same as {@code after} unless it was modified
     */
    List<? extends Effect> of(Plan plan, Row before, Row after);
  }

  /** The effects of a modified row, by its states before and after. */
  @FunctionalInterface
  public interface OfChange<R extends Row, E extends Effect> {
    List<E> of(Plan plan, R before, R after);
  }

  /**
   * An attribute of a row whose changes have effects.
   *
   * @param accessor the accessor of its record component
   */
  public record ChangedAttribute(String name, Method accessor) {
    static ChangedAttribute of(Class<? extends Row> row, String name) {
      return Arrays.stream(row.getRecordComponents())
          .filter(component -> AttributeNames.of(component.getName()).equals(name))
          .map(component -> new ChangedAttribute(name, component.getAccessor()))
          .findAny()
          .orElseThrow(() -> new IllegalArgumentException(row + " has no attribute " + name));
    }

    boolean differs(Row before, Row after) {
      return before.getClass() == after.getClass() && !Objects.equals(of(before), of(after));
    }

    private Object of(Row row) {
      try {
        return accessor.invoke(row);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(name + " of " + row.key() + " cannot be read", e);
      }
    }
  }

  List<? extends Effect> of(Plan plan, Row before, Row after) {
    boolean applies = attribute.map(it -> it.differs(before, after)).orElse(true);
    return applies ? effects.of(plan, before, after) : List.of();
  }

  /** Collects the lines of one row kind. */
  static final class Builder<R extends Row> {
    private final Class<R> row;
    private final List<EffectRule> rules = new ArrayList<>();

    private Builder(Class<R> row) {
      this.row = row;
    }

    static <R extends Row> Builder<R> of(Class<R> row) {
      return new Builder<>(row);
    }

    <E extends Effect> Builder<R> on(
        Event event, Lane lane, EffectType<E> effect, BiFunction<Plan, R, List<E>> effects) {
      return add(
          event,
          Optional.empty(),
          lane,
          effect,
          (plan, _, after) -> effects.apply(plan, row.cast(after)));
    }

    <E extends Effect> Builder<R> onChangeOf(
        String attribute, Lane lane, EffectType<E> effect, OfChange<R, E> effects) {
      return add(
          Event.MODIFY,
          Optional.of(ChangedAttribute.of(row, attribute)),
          lane,
          effect,
          (plan, before, after) -> effects.of(plan, row.cast(before), row.cast(after)));
    }

    <E extends Effect> Builder<R> onChange(
        Lane lane, EffectType<E> effect, OfChange<R, E> effects) {
      return add(
          Event.MODIFY,
          Optional.empty(),
          lane,
          effect,
          (plan, before, after) -> effects.of(plan, row.cast(before), row.cast(after)));
    }

    private Builder<R> add(
        Event event,
        Optional<ChangedAttribute> attribute,
        Lane lane,
        EffectType<?> effect,
        Effects effects) {
      rules.add(new EffectRule(event, attribute, lane, effect, effects));
      return this;
    }

    List<EffectRule> rules() {
      return List.copyOf(rules);
    }
  }
}
