package social.feed.table.kernel.schema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A record as a schema of the enhanced client. A {@link Row} is written with its keys, index keys
 * and entity type, which the schema derives. A projection of a row has its components only.
 */
public final class RecordSchema<R extends Record> implements TableSchema<R> {
  /**
   * One of each type. A new one has new constructors and accessors of the type, for each of which
   * the JVM creates classes once it has been used some hundred times.
   */
  private static final ClassValue<RecordSchema<?>> SCHEMAS =
      new ClassValue<>() {
        @Override
        protected RecordSchema<?> computeValue(Class<?> type) {
          return new RecordSchema<>(type.asSubclass(Record.class));
        }
      };

  private final RecordShape<R> shape;
  private final EnhancedType<R> type;
  private final @Nullable String entity;

  private RecordSchema(Class<R> type) {
    this.shape = new RecordShape<>(type);
    this.type = EnhancedType.of(type);
    this.entity = RowKind.of(type).map(RowKind::name).orElse(null);
  }

  /** Returns the schema of a type, the same one for each call. */
  @SuppressWarnings("unchecked")
  public static <R extends Record> RecordSchema<R> of(Class<R> type) {
    return (RecordSchema<R>) SCHEMAS.get(type);
  }

  @Override
  public R mapToItem(Map<String, AttributeValue> attributes) {
    return shape.fromAttributes(attributes);
  }

  @Override
  public Map<String, AttributeValue> itemToMap(R item, boolean ignoreNulls) {
    var attributes = new LinkedHashMap<String, AttributeValue>();
    if (item instanceof Row row) {
      attributes.putAll(KeyAttributes.of(row));
    }
    if (entity != null) {
      attributes.put(RowKind.ATTRIBUTE, AttributeValue.fromS(entity));
    }
    attributes.putAll(shape.toAttributes(item));
    return attributes;
  }

  @Override
  public Map<String, AttributeValue> itemToMap(R item, Collection<String> attributes) {
    var map = new LinkedHashMap<>(itemToMap(item, true));
    map.keySet().retainAll(attributes);
    return map;
  }

  @Override
  public @Nullable AttributeValue attributeValue(R item, String attribute) {
    return itemToMap(item, true).get(attribute);
  }

  @Override
  public TableMetadata tableMetadata() {
    return FeedTable.METADATA;
  }

  @Override
  public EnhancedType<R> itemType() {
    return type;
  }

  @Override
  public List<String> attributeNames() {
    var names = new ArrayList<>(List.of(BaseTable.PK, BaseTable.SK));
    names.addAll(shape.names());
    return names;
  }

  @Override
  public boolean isAbstract() {
    return false;
  }
}
