package social.feed.testkit.cost;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import social.feed.table.kernel.cost.ItemSize;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.declaration.TableDeclaration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Computes the request units that DynamoDB bills, from the items that a request reads or writes. An
 * absent item is an empty map. Source of each rule: the named page of the Amazon DynamoDB developer
 * guide.
 *
 * @param table the table with its indexes
 */
public record Billing(TableDeclaration table) {
  private static final long READ_BYTES = 4_096;
  private static final long WRITE_BYTES = 1_024;

  /** "Transactional write requests require 2 write units to perform one write of up to 1 KB." */
  private static final int TRANSACTION = 2;

  /**
   * The consistency of a read, with the units of 4 KB. Source: "DynamoDB read and write operations"
   * ({@code read-write-operations.html}).
   */
  public enum Consistency {
    EVENTUAL(0.5),
    STRONG(1),
    TRANSACTIONAL(2);

    private final double units;

    Consistency(double units) {
      this.units = units;
    }

    /** Returns the consistency that a request asks for. */
    static Consistency of(Boolean consistentRead) {
      return Boolean.TRUE.equals(consistentRead) ? STRONG : EVENTUAL;
    }
  }

  /**
   * Returns the read units of one item. Its size is rounded up to 4 KB. "If you perform a read
   * operation on an item that doesn't exist, DynamoDB will still consume read throughput" as for an
   * item of up to 4 KB. Source: {@code read-write-operations.html}.
   *
   * <p>BatchGetItem: "DynamoDB calculates the size of each item in the batch as an individual
   * GetItem", so each key of a batch has these units, an absent one too.
   */
  public static double readOfItem(Map<String, AttributeValue> item, Consistency consistency) {
    return reads(ItemSize.of(item), consistency);
  }

  /**
   * Returns the read units of one page of a query or a scan. The sizes of all items that the page
   * evaluates are added, before any filter, and the sum is rounded up once. A page without items
   * has the minimum. Items of an index have their projected sizes, with the keys of index and
   * table. Source: {@code read-write-operations.html}, "Query" ({@code Query.CapacityUnits}) and
   * "Using global secondary indexes" ({@code GSI.ThroughputConsiderations.Reads}).
   *
   * @param bytes the sum of the sizes of all evaluated items
   */
  public static double readOfPage(long bytes, Consistency consistency) {
    return reads(bytes, consistency);
  }

  private static double reads(long bytes, Consistency consistency) {
    return rounded(bytes, READ_BYTES) * consistency.units;
  }

  /**
   * Returns the write units of a put, an update or a delete: those of the item itself and those of
   * the indexes.
   *
   * @param before the item before the write
   * @param after the item after the write
   */
  public double write(Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    return base(before, after) + indexes(before, after);
  }

  /**
   * Returns the write units of a write inside a transaction: twice those of the item, to prepare
   * and to commit, and once those of the indexes, which follow the commit. Source: "DynamoDB
   * transactions" ({@code transaction-apis.html#transaction-capacity-handling}). The guide doubles
   * "writes of every item in the transaction" and does not mention index entries.
   */
  public double transactionalWrite(
      Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    return TRANSACTION * base(before, after) + indexes(before, after);
  }

  /**
   * Returns the write units of a condition check inside a transaction: those of a transactional
   * write of the item as it is. A check is billed as a write.
   */
  public static double check(Map<String, AttributeValue> item) {
    return TRANSACTION * base(item, item);
  }

  /**
   * Returns the write units of a write whose condition failed: "DynamoDB still consumes write
   * capacity. The amount is dependent on the size of the item", of the existing or the new one,
   * whichever is larger. No index changes. Source: "Working with items" ({@code
   * WorkingWithItems.ConditionalUpdate}).
   *
   * @param intended the item that a put would have stored; empty for an update or a delete
   */
  public static double failedWrite(
      Map<String, AttributeValue> before, Map<String, AttributeValue> intended) {
    return base(before, intended);
  }

  /**
   * Returns the write units of one action of a canceled transaction. The guide asks to plan for
   * them and gives no figure, so this is the upper bound: as if the action were done, without the
   * indexes.
   */
  public static double failedTransactionalWrite(
      Map<String, AttributeValue> before, Map<String, AttributeValue> intended) {
    return TRANSACTION * base(before, intended);
  }

  /**
   * What a write takes in a partition of an index.
   *
   * @param partition the partition key in the index
   */
  public record IndexWrite(String index, String partition, double units) {}

  /**
   * Returns the write units of an item itself, without the indexes.
   *
   * @param isTransactional whether the write is part of a transaction
   */
  public static double writeOfItem(
      Map<String, AttributeValue> before,
      Map<String, AttributeValue> after,
      boolean isTransactional) {
    return (isTransactional ? TRANSACTION : 1) * base(before, after);
  }

  /**
   * "DynamoDB considers the size of the item as it appears before and after the update. The
   * provisioned throughput consumed reflects the larger of these item sizes." A delete of an absent
   * item has one unit. Source: {@code read-write-operations.html}.
   */
  private static double base(
      Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    return writes(Math.max(ItemSize.of(before), ItemSize.of(after)));
  }

  private double indexes(Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    return indexWrites(before, after).stream().mapToDouble(IndexWrite::units).sum();
  }

  /**
   * Returns what a write takes in the indexes. Source: {@code GSI.ThroughputConsiderations.Writes}.
   * A new entry: one write. A removed entry: one write. Another index key: two writes, to delete
   * the previous entry and to put the new one. The same key and another projected attribute: one
   * write. Nothing projected changes: none.
   */
  public List<IndexWrite> indexWrites(
      Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    return table.indexes().stream()
        .flatMap(index -> index(index, table.entry(index, before), table.entry(index, after)))
        .toList();
  }

  private static Stream<IndexWrite> index(
      IndexDeclaration index,
      Map<String, AttributeValue> previous,
      Map<String, AttributeValue> next) {
    if (previous.equals(next)) {
      return Stream.empty();
    }
    if (previous.isEmpty() || next.isEmpty()) {
      var entry = previous.isEmpty() ? next : previous;
      return Stream.of(at(index, entry, ItemSize.of(entry)));
    }
    long removed = ItemSize.of(previous);
    long put = ItemSize.of(next);
    return isSameKey(index, previous, next)
        ? Stream.of(at(index, next, Math.max(removed, put)))
        : Stream.of(at(index, previous, removed), at(index, next, put));
  }

  private static IndexWrite at(
      IndexDeclaration index, Map<String, AttributeValue> entry, long bytes) {
    var partition = Objects.requireNonNull(entry.get(index.partitionKey())).s();
    return new IndexWrite(index.name(), partition, writes(bytes));
  }

  private static boolean isSameKey(
      IndexDeclaration index,
      Map<String, AttributeValue> previous,
      Map<String, AttributeValue> next) {
    return Objects.equals(previous.get(index.partitionKey()), next.get(index.partitionKey()))
        && Objects.equals(previous.get(index.sortKey()), next.get(index.sortKey()));
  }

  private static double writes(long bytes) {
    return rounded(bytes, WRITE_BYTES);
  }

  /** Rounds up, at least to one. */
  private static long rounded(long bytes, long step) {
    return Math.max(1, Math.ceilDiv(bytes, step));
  }
}
