package social.feed.table.kernel.schema;

import java.util.Map;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converts any row to its item and back. The entity type attribute selects the record. */
public final class RowCodec {
  private RowCodec() {}

  /**
   * Returns the row of an item.
   *
   * @throws MalformedItemException with the key, for an unknown entity type or an item that lacks
   *     an attribute of its kind
   */
  public static Row decode(Map<String, AttributeValue> item) {
    var entity = item.get(RowKind.ATTRIBUTE);
    var name = entity == null || entity.s() == null ? "" : entity.s();
    var kind =
        RowKind.named(name)
            .orElseThrow(
                () -> new MalformedItemException("Unknown entity type '" + name + "'", item, null));
    return (Row) schema(kind).mapToItem(item);
  }

  /** Returns the complete item of a row. */
  public static Map<String, AttributeValue> encode(Row row) {
    return encode(schema(row.kind()), row);
  }

  private static <R extends Record> Map<String, AttributeValue> encode(
      RecordSchema<R> schema, Row row) {
    return schema.itemToMap(schema.itemType().rawClass().cast(row), true);
  }

  /** Created with the first row of its kind. */
  private static RecordSchema<?> schema(RowKind kind) {
    return RecordSchema.of(kind.type().asSubclass(Record.class));
  }
}
