package social.feed.testkit.fault;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The request units of single items, by partition, as the developer guide defines them. */
final class ItemUnits {
  private static final int WRITE_BYTES = 1_024;
  private static final int READ_BYTES = 4_096;
  private static final int NUMBER_BYTES = 8;
  private static final String TABLE = "table/";

  private ItemUnits() {}

  /** Returns the name of a partition of the table. */
  static String partition(String partitionKey) {
    return TABLE + partitionKey;
  }

  /** Returns the name of a partition of an index. */
  static String partition(String index, String partitionKey) {
    return index + "/" + partitionKey;
  }

  /** Returns the read units of some bytes, at least those of one item. */
  static double read(long bytes, boolean isStrong) {
    double units = Math.max(1, Math.ceilDiv(bytes, READ_BYTES));
    return isStrong ? units : units / 2;
  }

  private static long write(long bytes) {
    return Math.max(1, Math.ceilDiv(bytes, WRITE_BYTES));
  }

  /**
   * Returns the write units of a write by partition. An index takes a unit for an entry that is
   * removed, one that is added or one whose projected attributes change.
   *
   * @param partition the partition of the table
   * @param factor the units of a unit in the table: two in a transaction
   */
  static Map<String, Double> written(
      String partition,
      Optional<Map<String, AttributeValue>> before,
      Optional<Map<String, AttributeValue>> after,
      int factor) {
    var units = new LinkedHashMap<String, Double>();
    long bytes =
        Math.max(before.map(ItemUnits::bytes).orElse(0L), after.map(ItemUnits::bytes).orElse(0L));
    units.put(partition, (double) factor * write(bytes));
    for (var index : FeedTable.DECLARATION.indexes()) {
      var old = before.flatMap(item -> entry(index, item));
      var now = after.flatMap(item -> entry(index, item));
      if (old.equals(now)) {
        continue;
      }
      boolean isMoved =
          !old.map(entry -> place(index, entry)).equals(now.map(entry -> place(index, entry)));
      old.filter(_ -> isMoved || now.isEmpty()).ifPresent(entry -> add(units, index, entry));
      now.ifPresent(entry -> add(units, index, entry));
    }
    return units;
  }

  /** Returns the partitions of an item, in the table and in the indexes that hold it. */
  static List<String> indexPartitions(Map<String, AttributeValue> item) {
    return FeedTable.DECLARATION.indexes().stream()
        .flatMap(index -> entry(index, item).map(entry -> partition(index, entry)).stream())
        .toList();
  }

  private static void add(
      Map<String, Double> units, IndexDeclaration index, Map<String, AttributeValue> entry) {
    units.merge(partition(index, entry), (double) write(bytes(entry)), Double::sum);
  }

  private static String partition(IndexDeclaration index, Map<String, AttributeValue> entry) {
    return partition(index.name(), requireNonNull(entry.get(index.partitionKey())).s());
  }

  private static List<AttributeValue> place(
      IndexDeclaration index, Map<String, AttributeValue> entry) {
    return List.of(entry.get(index.partitionKey()), entry.get(index.sortKey()));
  }

  private static Optional<Map<String, AttributeValue>> entry(
      IndexDeclaration index, Map<String, AttributeValue> item) {
    if (!item.containsKey(index.partitionKey()) || !item.containsKey(index.sortKey())) {
      return Optional.empty();
    }
    var entry = new HashMap<String, AttributeValue>();
    item.forEach(
        (name, value) -> {
          if (index.projected().contains(name)
              || name.equals(BaseTable.PK)
              || name.equals(BaseTable.SK)
              || name.equals(index.partitionKey())
              || name.equals(index.sortKey())) {
            entry.put(name, value);
          }
        });
    return Optional.of(entry);
  }

  /** Returns the size of an item. */
  static long bytes(Map<String, AttributeValue> item) {
    long bytes = 0;
    for (var attribute : item.entrySet()) {
      bytes += length(attribute.getKey()) + bytes(attribute.getValue());
    }
    return bytes;
  }

  private static long bytes(AttributeValue value) {
    return switch (value.type()) {
      case S -> length(value.s());
      case N -> Math.min(length(value.n()), 2L * NUMBER_BYTES);
      case SS -> value.ss().stream().mapToLong(ItemUnits::length).sum();
      case NS -> (long) NUMBER_BYTES * value.ns().size();
      case M -> 3 + value.m().size() + bytes(value.m());
      case L -> 3 + value.l().size() + value.l().stream().mapToLong(ItemUnits::bytes).sum();
      case B -> value.b().asByteArrayUnsafe().length;
      case BS -> value.bs().stream().mapToLong(b -> b.asByteArrayUnsafe().length).sum();
      case BOOL, NUL, UNKNOWN_TO_SDK_VERSION -> 1;
    };
  }

  private static long length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
