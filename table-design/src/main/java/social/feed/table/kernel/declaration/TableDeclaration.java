package social.feed.table.kernel.declaration;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A table as a value. CreateTable, the CDK stack, the client's schemas and the documents are
 * rendered from it. All keys are strings, the billing is on demand, and the stream has both images.
 *
 * @param partitionKey name of the base partition key
 * @param sortKey name of the base sort key
 * @param ttlAttribute name of the attribute with the epoch second after which TTL may delete an
 *     item
 * @param indexes the global secondary indexes, in the order of creation
 * @param deletionProtection whether DeleteTable is rejected
 * @param pointInTimeRecovery whether the last 35 days can be restored
 */
public record TableDeclaration(
    String partitionKey,
    String sortKey,
    String ttlAttribute,
    List<IndexDeclaration> indexes,
    boolean deletionProtection,
    boolean pointInTimeRecovery) {

  /** DynamoDB's default quota of global secondary indexes. */
  private static final int MAX_INDEXES = 20;

  public TableDeclaration {
    indexes = List.copyOf(indexes);
    if (indexes.size() > MAX_INDEXES) {
      throw new IllegalArgumentException(indexes.size() + " indexes; DynamoDB allows 20");
    }
    if (indexes.stream().map(IndexDeclaration::name).distinct().count() != indexes.size()) {
      throw new IllegalArgumentException("Two indexes have the same name");
    }
    if (indexes.stream().mapToInt(i -> i.projected().size()).sum()
        > IndexDeclaration.MAX_PROJECTED) {
      throw new IllegalArgumentException("More than 100 projected attributes in all indexes");
    }
  }

  /** Returns the same table without the protections that only a deployed table needs. */
  public TableDeclaration unprotected() {
    return new TableDeclaration(partitionKey, sortKey, ttlAttribute, indexes, false, false);
  }

  /**
   * Returns what an index stores of an item: its projected attributes and all keys. Empty unless
   * the item has both keys of the index.
   */
  public <V> Map<String, V> entry(IndexDeclaration index, Map<String, V> item) {
    if (!item.containsKey(index.partitionKey()) || !item.containsKey(index.sortKey())) {
      return Map.of();
    }
    var entry = new HashMap<>(item);
    entry.keySet().removeIf(name -> !isStored(index, name));
    return entry;
  }

  private boolean isStored(IndexDeclaration index, String name) {
    return name.equals(partitionKey)
        || name.equals(sortKey)
        || name.equals(index.partitionKey())
        || name.equals(index.sortKey())
        || index.projected().contains(name);
  }
}
