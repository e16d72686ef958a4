package social.feed.streams;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import social.feed.streams.event.EventPlan;
import social.feed.streams.plan.EffectRule;
import social.feed.streams.plan.EffectRule.ChangedAttribute;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.row.RowKind;

/**
 * {@link LaneFilter} in the language of Lambda's event filters, derived from the lines of {@link
 * Plan}: one pattern for each kind of event, since a mapping may have five. A record passes when it
 * matches one of them.
 *
 * <p>The language compares with constants, never one image with the other. For an attribute with
 * few values, each change is spelled out. For a time or a number, the pattern only tests whether
 * either image has it. So some records pass that have no effects; these attributes are rare.
 *
 * <p>Maps are sorted, since they become text, and another order would look like a change.
 */
public final class LanePatterns {
  private static final String NEW = "NewImage";
  private static final String OLD = "OldImage";
  private static final String TEXT = "S";
  private static final String FLAG = "BOOL";
  private static final String NUMBER = "N";

  private LanePatterns() {}

  /** The patterns of a lane as JSON objects. */
  public static List<SortedMap<String, Object>> of(Lane lane) {
    return patterns(lane, (_, _) -> false);
  }

  /**
   * The same for a plan with events for other systems, as {@link LaneFilter#acceptsWithEvents}. Any
   * change of an account or of a suspicion passes, also that of its counts: the language cannot see
   * whether a name has changed.
   */
  public static List<SortedMap<String, Object>> withEvents(Lane lane) {
    return lane == Lane.EFFECTS ? patterns(lane, EventPlan::concerns) : of(lane);
  }

  /**
   * @param more whether rows of a kind pass at an event, without a rule
   */
  private static List<SortedMap<String, Object>> patterns(
      Lane lane, BiPredicate<RowKind, String> more) {
    return List.of(
        event("INSERT", images(image(NEW, kindsBut(kind -> isOut(lane, kind, "INSERT", more))))),
        event("REMOVE", images(image(OLD, kindsBut(kind -> isOut(lane, kind, "REMOVE", more))))),
        modified(lane, kind -> kind != RowKind.POST && more.test(kind, "MODIFY")));
  }

  private static boolean isOut(
      Lane lane, RowKind kind, String event, BiPredicate<RowKind, String> more) {
    return isWithoutRule(lane, kind, event) && !more.test(kind, event);
  }

  private static boolean isWithoutRule(Lane lane, RowKind kind, String event) {
    return rules(lane, kind, event).findAny().isEmpty();
  }

  private static Stream<EffectRule> rules(Lane lane, RowKind kind, String event) {
    return Plan.rules(kind).stream()
        .filter(rule -> rule.lane() == lane && rule.event().isNamed(event));
  }

  /**
   * @param whole the kinds of which any change passes. What becomes of a post in public is its
   *     visibility, which has rules
   */
  private static SortedMap<String, Object> modified(Lane lane, Predicate<RowKind> whole) {
    var either = new ArrayList<SortedMap<String, Object>>();
    either.add(
        images(
            image(
                NEW,
                kindsBut(
                    kind ->
                        !whole.test(kind)
                            && rules(lane, kind, "MODIFY")
                                .allMatch(rule -> rule.attribute().isPresent())))));
    for (var kind : RowKind.values()) {
      if (whole.test(kind)) {
        continue;
      }
      rules(lane, kind, "MODIFY")
          .flatMap(rule -> rule.attribute().stream())
          .distinct()
          .forEach(attribute -> either.addAll(changes(kind, attribute)));
    }
    var pattern = new TreeMap<String, Object>();
    pattern.put("eventName", List.of("MODIFY"));
    pattern.put("$or", either);
    return pattern;
  }

  /** Returns patterns that together match when an attribute of a row is not as it was. */
  private static List<SortedMap<String, Object>> changes(RowKind kind, ChangedAttribute attribute) {
    var name = attribute.name();
    var type = attribute.accessor().getReturnType();
    if (type.isEnum()) {
      var all = stored(type);
      return Stream.concat(
              all.stream()
                  .map(now -> change(kind, name, TEXT, now, List.of(but(List.of(now)), absent()))),
              Stream.of(malformed(kind, name, TEXT, List.of(but(all), absent()))))
          .toList();
    }
    return type == boolean.class
        ? List.of(
            change(kind, name, FLAG, true, List.of(false, absent())),
            change(kind, name, FLAG, false, List.of(true, absent())),
            malformed(kind, name, FLAG, List.of(absent())))
        : List.of(
            images(image(NEW, is(kind), field(name, scalar(type), List.of(present())))),
            images(
                image(NEW, is(kind)), image(OLD, field(name, scalar(type), List.of(present())))));
  }

  private static String scalar(Class<?> type) {
    return type == Long.class ? NUMBER : TEXT;
  }

  private static SortedMap<String, Object> change(
      RowKind kind, String attribute, String type, Object now, List<Object> before) {
    return images(
        image(NEW, is(kind), field(attribute, type, List.of(now))),
        image(OLD, field(attribute, type, before)));
  }

  /** The values of an enumeration as items hold them. */
  private static List<String> stored(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(value -> ((Enum<?>) value).name().toLowerCase(Locale.ROOT))
        .toList();
  }

  /** A row that cannot be decoded must become a dead letter, whatever it was before. */
  private static SortedMap<String, Object> malformed(
      RowKind kind, String attribute, String type, List<Object> now) {
    return images(image(NEW, is(kind), field(attribute, type, now)));
  }

  /** Rows of an unknown kind, and rows without one, must become dead letters and not vanish. */
  private static Map.Entry<String, Object> kindsBut(Predicate<RowKind> excluded) {
    var names = Arrays.stream(RowKind.values()).filter(excluded).map(RowKind::name).toList();
    return field(RowKind.ATTRIBUTE, TEXT, List.of(but(names), absent()));
  }

  private static Map.Entry<String, Object> is(RowKind kind) {
    return field(RowKind.ATTRIBUTE, TEXT, List.of(kind.name()));
  }

  private static SortedMap<String, Object> but(List<String> values) {
    return new TreeMap<>(Map.of("anything-but", values));
  }

  private static SortedMap<String, Object> absent() {
    return new TreeMap<>(Map.of("exists", false));
  }

  private static SortedMap<String, Object> present() {
    return new TreeMap<>(Map.of("exists", true));
  }

  private static Map.Entry<String, Object> field(String name, String type, List<?> values) {
    return Map.entry(name, new TreeMap<>(Map.of(type, values)));
  }

  @SafeVarargs
  private static Map.Entry<String, Object> image(
      String image, Map.Entry<String, Object>... fields) {
    return Map.entry(image, sorted(fields));
  }

  @SafeVarargs
  private static SortedMap<String, Object> images(Map.Entry<String, Object>... images) {
    return sorted(Map.entry("dynamodb", sorted(images)));
  }

  private static SortedMap<String, Object> event(String name, SortedMap<String, Object> images) {
    images.put("eventName", List.of(name));
    return images;
  }

  @SafeVarargs
  private static SortedMap<String, Object> sorted(Map.Entry<String, Object>... entries) {
    var map = new TreeMap<String, Object>();
    for (var entry : entries) {
      map.put(entry.getKey(), entry.getValue());
    }
    return map;
  }
}
