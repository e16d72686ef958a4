package social.feed.table.kernel.schema;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.Positioned;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The schema of a query's result: records with the sort key that gives their position. It is for
 * reading only.
 */
public final class PositionedSchema<R extends Record> implements TableSchema<Positioned<R>> {
  private final RecordSchema<R> records;
  private final String sortKey;

  /**
   * Creates the schema of a queried table or index.
   *
   * @param records the schema that reads the records
   * @param sortKey name of the attribute that sorts the queried table or index
   */
  public PositionedSchema(RecordSchema<R> records, String sortKey) {
    this.records = records;
    this.sortKey = sortKey;
  }

  @Override
  public Positioned<R> mapToItem(Map<String, AttributeValue> attributes) {
    var position = attributes.get(sortKey);
    if (position == null) {
      throw new MalformedItemException("No " + sortKey, attributes, null);
    }
    return new Positioned<>(position.s(), records.mapToItem(attributes));
  }

  @Override
  public Map<String, AttributeValue> itemToMap(Positioned<R> item, boolean ignoreNulls) {
    return records.itemToMap(item.item(), ignoreNulls);
  }

  @Override
  public Map<String, AttributeValue> itemToMap(Positioned<R> item, Collection<String> attributes) {
    return records.itemToMap(item.item(), attributes);
  }

  @Override
  public @Nullable AttributeValue attributeValue(Positioned<R> item, String attribute) {
    return attribute.equals(sortKey)
        ? AttributeValue.fromS(item.position())
        : records.attributeValue(item.item(), attribute);
  }

  @Override
  public TableMetadata tableMetadata() {
    return FeedTable.METADATA;
  }

  @Override
  @SuppressWarnings("unchecked")
  public EnhancedType<Positioned<R>> itemType() {
    return (EnhancedType<Positioned<R>>) (EnhancedType<?>) EnhancedType.of(Positioned.class);
  }

  @Override
  public List<String> attributeNames() {
    return records.attributeNames();
  }

  @Override
  public boolean isAbstract() {
    return false;
  }
}
