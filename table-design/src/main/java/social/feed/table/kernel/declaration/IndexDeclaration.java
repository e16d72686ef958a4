package social.feed.table.kernel.declaration;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A global secondary index with projection {@code INCLUDE}. It holds an item while the item has
 * both key attributes (sparse).
 *
 * @param name the index name, part of the wire format
 * @param purpose one line for the documents about the items that the index finds; not sent to
 *     DynamoDB
 * @param partitionKey name of its partition key attribute, a string
 * @param sortKey name of its sort key attribute, a string
 * @param projected the non-key attributes of the index: the components of the records read from it
 */
public record IndexDeclaration(
    String name, String purpose, String partitionKey, String sortKey, SortedSet<String> projected) {

  /** DynamoDB's limit on the projected attributes of all indexes of a table together. */
  static final int MAX_PROJECTED = 100;

  public IndexDeclaration {
    if (projected.isEmpty()) {
      throw new IllegalArgumentException(
          name + " projects no attribute: INCLUDE requires at least one");
    }
    projected = new TreeSet<>(projected);
  }

  /** Returns the declaration of an index. The attribute names follow from the index name. */
  public static IndexDeclaration of(Index index, Set<String> projected) {
    return new IndexDeclaration(
        index.indexName(),
        index.purpose(),
        index.partitionKey(),
        index.sortKey(),
        new TreeSet<>(projected));
  }
}
