package social.feed.table.kernel.schema;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The key attributes of a row, in the table and in each index that holds it. */
public final class KeyAttributes {
  private static final List<String> NAMES =
      Stream.concat(
              Stream.of(BaseTable.PK, BaseTable.SK),
              Arrays.stream(Index.values()).flatMap(i -> Stream.of(i.partitionKey(), i.sortKey())))
          .toList();

  private KeyAttributes() {}

  /** Returns the base key in the form of the low-level client. */
  public static Map<String, AttributeValue> of(Key key) {
    return Map.of(
        BaseTable.PK, AttributeValue.fromS(key.partition()),
        BaseTable.SK, AttributeValue.fromS(key.sort()));
  }

  /**
   * Returns the base key of an item, the inverse of {@link #of(Key)}.
   *
   * @throws MalformedItemException when the item has no base key
   */
  public static Key key(Map<String, AttributeValue> item) {
    return new Key(text(item, BaseTable.PK), text(item, BaseTable.SK));
  }

  /** Returns the names of the keys in which an item differs from its row. */
  public static List<String> misplaced(Map<String, AttributeValue> item, Row row) {
    var expected = of(row);
    return NAMES.stream()
        .filter(name -> !Objects.equals(item.get(name), expected.get(name)))
        .toList();
  }

  /** Returns whether an attribute is a key, of the table or of an index. */
  public static boolean isKey(String attribute) {
    return NAMES.contains(attribute);
  }

  /** Returns the keys of a row, by the names of their attributes. */
  public static Map<String, AttributeValue> of(Row row) {
    var attributes = new LinkedHashMap<>(of(row.key()));
    row.indexKeys()
        .forEach(
            (index, key) -> {
              attributes.put(index.partitionKey(), AttributeValue.fromS(key.partition()));
              attributes.put(index.sortKey(), AttributeValue.fromS(key.sort()));
            });
    return attributes;
  }

  private static String text(Map<String, AttributeValue> item, String attribute) {
    var value = item.get(attribute);
    if (value == null || value.s() == null) {
      throw new MalformedItemException("The item has no " + attribute, item, null);
    }
    return value.s();
  }
}
