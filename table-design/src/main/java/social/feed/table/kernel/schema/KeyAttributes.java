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

  /** The base key as the low-level client wants it. */
  public static Map<String, AttributeValue> of(Key key) {
    return Map.of(
        BaseTable.PK, AttributeValue.fromS(key.partition()),
        BaseTable.SK, AttributeValue.fromS(key.sort()));
  }

  /** The inverse of {@link #of(Key)}, for any item that has a base key. */
  public static Key key(Map<String, AttributeValue> item) {
    return new Key(text(item, BaseTable.PK), text(item, BaseTable.SK));
  }

  /** Names of the index keys that an item has and its row does not ask for, or the other way. */
  public static List<String> misplaced(Map<String, AttributeValue> item, Row row) {
    var wanted = of(row);
    return NAMES.stream()
        .filter(name -> !Objects.equals(item.get(name), wanted.get(name)))
        .toList();
  }

  /** Whether an attribute is a key, of the table or of an index. */
  public static boolean isKey(String attribute) {
    return NAMES.contains(attribute);
  }

  /** The keys that a row asks for, by the names of their attributes. */
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
      throw new MalformedItemException("An item without a " + attribute, item, null);
    }
    return value.s();
  }
}
