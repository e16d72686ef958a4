package social.feed.table.kernel.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.time.Timestamps;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Changes of some attributes of an item. */
public final class Update {
  private final List<String> sets = new ArrayList<>();
  private final List<String> removes = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private int entries;

  /** Sets an attribute. */
  public Update set(String attribute, AttributeValue value) {
    sets.add(name(attribute) + " = " + value(attribute, value));
    return this;
  }

  /** Sets an attribute to a text. */
  public Update set(String attribute, String text) {
    return set(attribute, AttributeValue.fromS(text));
  }

  /** Sets an attribute to a number. */
  public Update set(String attribute, long number) {
    return set(attribute, AttributeValue.fromN(Long.toString(number)));
  }

  /** Sets an attribute to a time. */
  public Update set(String attribute, Instant time) {
    return set(attribute, Timestamps.format(time));
  }

  /** Sets an attribute to a time where the item lacks the attribute. */
  public Update setIfAbsent(String attribute, Instant time) {
    return setIfAbsent(attribute, AttributeValue.fromS(Timestamps.format(time)));
  }

  /** Sets an attribute to a number where the item lacks the attribute. */
  public Update setIfAbsent(String attribute, long number) {
    return setIfAbsent(attribute, AttributeValue.fromN(Long.toString(number)));
  }

  private Update setIfAbsent(String attribute, AttributeValue value) {
    var placeholder = value(attribute, value);
    sets.add("%1$s = if_not_exists(%1$s, %2$s)".formatted(name(attribute), placeholder));
    return this;
  }

  /** Sets an entry of a map attribute that the item has. */
  public Update setEntry(String map, String key, String text) {
    var entry = entry(map, key);
    sets.add(entry + " = " + value("entry" + entries, AttributeValue.fromS(text)));
    return this;
  }

  /** Adds to a number that the item has. */
  public Update add(String attribute, long delta) {
    var value = value(attribute, AttributeValue.fromN(Long.toString(delta)));
    sets.add("%1$s = %1$s + %2$s".formatted(name(attribute), value));
    return this;
  }

  /** Adds one to a number; an absent one counts as zero. */
  public Update increment(String attribute) {
    return increment(attribute, 1);
  }

  /** Adds to a number; an absent one counts as zero. */
  public Update increment(String attribute, long delta) {
    values.put(":zero", AttributeValue.fromN("0"));
    var value = value(attribute, AttributeValue.fromN(Long.toString(delta)));
    sets.add("%1$s = if_not_exists(%1$s, :zero) + %2$s".formatted(name(attribute), value));
    return this;
  }

  /** Removes an attribute. */
  public Update remove(String attribute) {
    removes.add(name(attribute));
    return this;
  }

  /** Removes an entry of a map attribute that the item has. */
  public Update removeEntry(String map, String key) {
    removes.add(entry(map, key));
    return this;
  }

  String text() {
    var parts = new ArrayList<String>();
    if (!sets.isEmpty()) {
      parts.add("SET " + String.join(", ", sets));
    }
    if (!removes.isEmpty()) {
      parts.add("REMOVE " + String.join(", ", removes));
    }
    return String.join(" ", parts);
  }

  Map<String, String> names() {
    return names;
  }

  Map<String, AttributeValue> values() {
    return values;
  }

  private String name(String attribute) {
    names.put("#" + attribute, attribute);
    return "#" + attribute;
  }

  private String entry(String map, String key) {
    var placeholder = "#entry" + ++entries;
    names.put(placeholder, key);
    return name(map) + "." + placeholder;
  }

  private String value(String attribute, AttributeValue value) {
    values.put(":" + attribute, value);
    return ":" + attribute;
  }
}
