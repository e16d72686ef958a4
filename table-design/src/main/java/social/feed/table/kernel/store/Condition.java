package social.feed.table.kernel.store;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * The condition of a write on the item at its key, for single writes and for the writes of a {@link
 * Transaction}. Immutable.
 */
public final class Condition {
  private static final Condition NONE = new Condition(null, Map.of(), Map.of(), false);

  private final @Nullable String text;
  private final Map<String, String> names;
  private final Map<String, AttributeValue> values;
  private final boolean returnsItem;

  private Condition(
      @Nullable String text,
      Map<String, String> names,
      Map<String, AttributeValue> values,
      boolean returnsItem) {
    this.text = text;
    this.names = names;
    this.values = values;
    this.returnsItem = returnsItem;
  }

  /** Always holds. */
  public static Condition none() {
    return NONE;
  }

  /** Holds while there is no item at the key. */
  public static Condition absent() {
    return new Condition("attribute_not_exists(" + BaseTable.PK + ")", Map.of(), Map.of(), false);
  }

  /** Holds while there is an item at the key. An update on this condition creates no item. */
  public static Condition present() {
    return new Condition("attribute_exists(" + BaseTable.PK + ")", Map.of(), Map.of(), false);
  }

  /** Holds while an attribute has a value. */
  public static Condition equal(String attribute, AttributeValue value) {
    return comparison(attribute, "=", value);
  }

  /** Holds while an attribute has a text. */
  public static Condition equal(String attribute, String text) {
    return equal(attribute, AttributeValue.fromS(text));
  }

  /** Holds while an attribute has a time. */
  public static Condition equal(String attribute, Instant time) {
    return equal(attribute, Timestamps.format(time));
  }

  /** Holds while an attribute has another text. */
  public static Condition different(String attribute, String text) {
    return comparison(attribute, "<>", AttributeValue.fromS(text));
  }

  /** Holds while an attribute is the number. */
  public static Condition equal(String attribute, long number) {
    return comparison(attribute, "=", number(number));
  }

  /** Holds while an attribute is less than a number. */
  public static Condition less(String attribute, long number) {
    return comparison(attribute, "<", number(number));
  }

  /** Holds while an attribute is a time before another. */
  public static Condition before(String attribute, Instant time) {
    return comparison(attribute, "<", AttributeValue.fromS(Timestamps.format(time)));
  }

  /** Holds while an attribute is a number or less. */
  public static Condition atMost(String attribute, long number) {
    return comparison(attribute, "<=", number(number));
  }

  /** Holds while an attribute is greater than a number. */
  public static Condition greater(String attribute, long number) {
    return comparison(attribute, ">", number(number));
  }

  /** Holds while the item lacks an attribute. */
  public static Condition lacks(String attribute) {
    return new Condition(
        "attribute_not_exists(#" + attribute + ")",
        Map.of("#" + attribute, attribute),
        Map.of(),
        false);
  }

  /**
   * Holds while an attribute is as it was read.
   *
   * @param read absent where the item lacked the attribute
   */
  public static Condition same(String attribute, @Nullable AttributeValue read) {
    return read == null ? lacks(attribute) : equal(attribute, read);
  }

  /**
   * Holds while an entry of a map attribute is as it was read. The item must have the map.
   *
   * @param read absent where the map lacked the key
   */
  public static Condition sameEntry(String map, String key, @Nullable AttributeValue read) {
    return read == null
        ? entry(map, key, "attribute_not_exists(%s)", Map.of())
        : entry(map, key, "%s = :if_" + map, Map.of(":if_" + map, read));
  }

  /** Holds while a map attribute has an entry. */
  public static Condition hasEntry(String map, String key) {
    return entry(map, key, "attribute_exists(%s)", Map.of());
  }

  /**
   * Holds while a row still has the version that was read.
   *
   * @param read 0 where there was no row
   */
  public static Condition sameVersion(String attribute, long read) {
    return read == 0 ? absent() : equal(attribute, read);
  }

  /**
   * Holds while an item says what was read. Index keys are not part of the condition: they follow
   * from the other attributes, and a wrong index key must not prevent its repair.
   */
  public static Condition unchanged(Row read) {
    return RowCodec.encode(read).entrySet().stream()
        .filter(attribute -> !KeyAttributes.isKey(attribute.getKey()))
        .map(attribute -> equal(attribute.getKey(), attribute.getValue()))
        .reduce(Condition::and)
        .orElseGet(Condition::present);
  }

  /** Holds while both conditions hold. */
  public Condition and(Condition other) {
    if (text == null || other.text == null) {
      return text == null ? other : this;
    }
    return combined(text + " AND " + other.text, other);
  }

  /** Holds while one of the two conditions holds. */
  public Condition or(Condition other) {
    if (text == null || other.text == null) {
      return NONE;
    }
    // In brackets, because AND binds more strongly.
    return combined("(" + text + " OR " + other.text + ")", other);
  }

  /** The same condition; where it fails, the {@link WriteOutcome} holds the item at the key. */
  public Condition returningItem() {
    return new Condition(text, names, values, true);
  }

  private Condition combined(String expression, Condition other) {
    return new Condition(
        expression,
        union(names, other.names),
        union(values, other.values),
        returnsItem || other.returnsItem);
  }

  private static Condition entry(
      String map, String key, String text, Map<String, AttributeValue> values) {
    return new Condition(
        text.formatted("#%1$s.#if_%1$s".formatted(map)),
        Map.of("#" + map, map, "#if_" + map, key),
        values,
        false);
  }

  private static Condition comparison(String attribute, String operator, AttributeValue value) {
    return new Condition(
        "#%1$s %2$s :if_%1$s".formatted(attribute, operator),
        Map.of("#" + attribute, attribute),
        Map.of(":if_" + attribute, value),
        false);
  }

  private static AttributeValue number(long number) {
    return AttributeValue.fromN(Long.toString(number));
  }

  /** The placeholders of both expressions; a placeholder has one meaning. */
  private static <V> Map<String, V> union(Map<String, V> one, Map<String, V> other) {
    var union = new HashMap<>(one);
    other.forEach(
        (placeholder, meaning) -> {
          var before = union.put(placeholder, meaning);
          if (before != null && !before.equals(meaning)) {
            throw new IllegalArgumentException("Two meanings of " + placeholder);
          }
        });
    return union;
  }

  @Nullable String text() {
    return text;
  }

  /** The names that a request needs, with those of its update; absent where there are none. */
  @Nullable Map<String, String> names(Map<String, String> ofUpdate) {
    var all = union(names, ofUpdate);
    return all.isEmpty() ? null : all;
  }

  /** The values that a request needs, with those of its update; absent where there are none. */
  @Nullable Map<String, AttributeValue> values(Map<String, AttributeValue> ofUpdate) {
    var all = union(values, ofUpdate);
    return all.isEmpty() ? null : all;
  }

  @Nullable ReturnValuesOnConditionCheckFailure onFailure() {
    return returnsItem ? ReturnValuesOnConditionCheckFailure.ALL_OLD : null;
  }

  @Override
  public String toString() {
    return text + " " + names + " " + values;
  }
}
