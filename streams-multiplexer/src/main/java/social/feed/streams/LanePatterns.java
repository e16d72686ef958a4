package social.feed.streams;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import social.feed.streams.plan.Lane;
import social.feed.table.row.RowKind;
import social.feed.table.row.Visibility;

/**
 * {@link LaneFilter} in the language of Lambda's event filters, a pattern for each kind of event: a
 * mapping may have five. A record passes when it matches one of them.
 *
 * <p>The language compares with constants, never one image with the other. Of an attribute with few
 * values each change is spelled out. Of a time it is only asked whether either image has it, so
 * some records pass that the plan finds no effects for; these times are rare.
 *
 * <p>Maps are sorted, since they become text, and another order would look like a change.
 */
public final class LanePatterns {
  private static final String NEW = "NewImage";
  private static final String OLD = "OldImage";
  private static final String TEXT = "S";
  private static final String FLAG = "BOOL";

  private LanePatterns() {}

  /** The patterns of a lane as JSON objects. */
  public static List<SortedMap<String, Object>> of(Lane lane) {
    return List.of(
        event("INSERT", images(image(NEW, kindsBut(kind -> !lane.wants(kind, "INSERT"))))),
        event("REMOVE", images(image(OLD, kindsBut(kind -> !lane.wants(kind, "REMOVE"))))),
        modified(lane));
  }

  private static SortedMap<String, Object> modified(Lane lane) {
    var either = new ArrayList<SortedMap<String, Object>>();
    either.add(
        images(
            image(
                NEW,
                kindsBut(kind -> !lane.wants(kind, "MODIFY") || Lane.flagOf(kind).isPresent()))));
    Arrays.stream(RowKind.values())
        .filter(kind -> lane.wants(kind, "MODIFY"))
        .forEach(kind -> Lane.flagOf(kind).ifPresent(flag -> either.addAll(flips(kind, flag))));
    var pattern = new TreeMap<String, Object>();
    pattern.put("eventName", List.of("MODIFY"));
    pattern.put("$or", either);
    return pattern;
  }

  /** A pattern each; together they match when the flag of a row is not what it was. */
  private static List<SortedMap<String, Object>> flips(RowKind kind, String flag) {
    return switch (kind) {
      case POST -> {
        var all = visibilities();
        yield Stream.concat(
                all.stream()
                    .map(now -> flip(kind, flag, TEXT, now, List.of(but(List.of(now)), absent()))),
                Stream.of(malformed(kind, flag, TEXT, List.of(but(all), absent()))))
            .toList();
      }
      case USER ->
          List.of(
              flip(kind, flag, FLAG, true, List.of(false, absent())),
              flip(kind, flag, FLAG, false, List.of(true, absent())),
              malformed(kind, flag, FLAG, List.of(absent())));
      default ->
          List.of(
              images(image(NEW, is(kind), field(flag, TEXT, List.of(present())))),
              images(image(NEW, is(kind)), image(OLD, field(flag, TEXT, List.of(present())))));
    };
  }

  private static SortedMap<String, Object> flip(
      RowKind kind, String flag, String type, Object now, List<Object> before) {
    return images(
        image(NEW, is(kind), field(flag, type, List.of(now))),
        image(OLD, field(flag, type, before)));
  }

  /** As they are stored. */
  private static List<String> visibilities() {
    return Arrays.stream(Visibility.values())
        .map(visibility -> visibility.name().toLowerCase(Locale.ROOT))
        .toList();
  }

  /** What nobody can read is to become a dead letter, whatever it was before. */
  private static SortedMap<String, Object> malformed(
      RowKind kind, String flag, String type, List<Object> now) {
    return images(image(NEW, is(kind), field(flag, type, now)));
  }

  /** Kinds that nobody knows, and rows without one, are to become dead letters, not to vanish. */
  private static Map.Entry<String, Object> kindsBut(Predicate<RowKind> unwanted) {
    var names = Arrays.stream(RowKind.values()).filter(unwanted).map(RowKind::name).toList();
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
