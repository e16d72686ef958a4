package social.feed.streams;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.streams.change.Change;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectType;
import social.feed.streams.event.EventPlan;
import social.feed.streams.plan.EffectRule;
import social.feed.streams.plan.EffectRule.ChangedAttribute;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;

/** The lines of the plan as a page for people, with the effects of sample rows. */
final class EffectsPage {
  private static final String LINES =
      """
      # Stream effects

      Generated from the lines of `Plan` by a test; do not edit. A row kind and event without a line has no effects. The
      attribute is the one that must change for a modified row to have the effect. A name in parentheses is the one that dead
      letters of the effect carry. The last column says which effects of one kind and item in a batch are applied: each one; only
      the last; or each one unless a later record of the batch changes the same row again (`unless undone`).

      | row kind | event | attribute | lane | effect | in a batch |
      |---|---|---|---|---|---|
      """;

  private static final String SAMPLES =
      """

      ## Effects of sample rows

      In the samples, `ann` writes post `p`, which mentions `bob` and herself; `bob` likes, comments and follows. Each row is
      modified without a change, unless its name says which attribute changes.

      | row | event | lane | effects, in order |
      |---|---|---|---|
      """;

  private static final String EVENTS =
      """

      ## Events of sample rows

      Where a sink is configured, these changes are also [events for other systems](events.md): `EventPlan` says which. One
      effect of the lane EFFECTS, `Publish`, puts them on a queue. Without a sink it does not exist, and the lane does not receive
      the records that have no other effect.

      | row | event | effect |
      |---|---|---|
      """;

  private final Plan plan = new Plan(Duration.ofDays(90));
  private final StringBuilder page = new StringBuilder();

  static String render() {
    var rendering = new EffectsPage();
    rendering.page.append(LINES);
    for (var kind : RowKind.values()) {
      Plan.rules(kind).forEach(rule -> rendering.line(kind, rule));
    }
    rendering.page.append(SAMPLES);
    SampleRowLists.all().forEach(rendering::sample);
    SampleRowLists.changed().forEach((name, change) -> rendering.sample(name, "modify", change));
    rendering.page.append(EVENTS);
    SampleRowLists.all().forEach(rendering::eventsOf);
    SampleRowLists.changed().forEach((name, change) -> rendering.events(name, "modify", change));
    return rendering.page.toString();
  }

  private void line(RowKind kind, EffectRule rule) {
    page.append(
        "| %s | %s | %s | %s | %s | %s |\n"
            .formatted(
                kind,
                rule.event(),
                rule.attribute().map(ChangedAttribute::name).map("`%s`"::formatted).orElse(""),
                rule.lane(),
                effect(rule),
                inBatch(rule.effect())));
  }

  private static String inBatch(EffectType<?> type) {
    if (type.isCovered()) {
      return "unless undone";
    }
    return type.item().isPresent() ? "last" : "each";
  }

  private static String effect(EffectRule rule) {
    var type = rule.effect().effect().getSimpleName();
    var name = rule.effect().name();
    return type.equals(name) ? type : "%s (`%s`)".formatted(type, name);
  }

  private void sample(String name, Row row) {
    sample(name, "insert", new Change.Inserted(row));
    sample(name, "modify", new Change.Modified(row, row));
    sample(name, "remove", new Change.Removed(row));
    sample(name, "expire", new Change.Expired(row));
  }

  private void eventsOf(String name, Row row) {
    events(name, "insert", new Change.Inserted(row));
    events(name, "remove", new Change.Removed(row));
  }

  private void events(String name, String event, Change change) {
    for (var published :
        EventPlan.events(change, StreamRecords.inserted(1, SampleRowLists.like("bob")))) {
      page.append(
          "| %s | %s | Publish `%s` |\n".formatted(name, event, published.type().eventName()));
    }
  }

  private void sample(String name, String event, Change change) {
    sample(name, event, Lane.COUNTS, plan.counts(change));
    sample(name, event, Lane.EFFECTS, plan.effects(change));
  }

  private void sample(String name, String event, Lane lane, List<? extends Effect> effects) {
    if (!effects.isEmpty()) {
      var text = effects.stream().map(EffectsPage::text).collect(Collectors.joining("; "));
      var shortened = text.replace(SampleRowLists.like("bob").postId(), "p");
      page.append("| %s | %s | %s | %s |\n".formatted(name, event, lane, shortened));
    }
  }

  private static String text(Effect effect) {
    var details =
        Arrays.stream(effect.getClass().getRecordComponents())
            .flatMap(component -> detail(component, effect).stream())
            .collect(Collectors.joining(", "));
    return (effect.getClass().getSimpleName() + " " + details).trim();
  }

  /** Components that hold whole rows say nothing that is not in the sample. */
  private static Optional<String> detail(RecordComponent component, Effect effect) {
    var values = values(value(component, effect)).toList();
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(component.getName() + " " + String.join(" ", values));
  }

  private static Object value(RecordComponent component, Effect effect) {
    try {
      return component.getAccessor().invoke(effect);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<String> values(Object value) {
    return switch (value) {
      case Notification it -> Stream.of("`%s` to `%s`".formatted(it.type(), it.userId()));
      case Key key -> Stream.of("`%s`".formatted(key));
      case Row _ -> Stream.empty();
      case Optional<?> optional -> optional.stream().flatMap(EffectsPage::values);
      case Collection<?> all -> all.stream().flatMap(EffectsPage::values);
      default -> Stream.of("`%s`".formatted(value));
    };
  }
}
