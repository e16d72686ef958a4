package social.feed.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.RowKind;

/**
 * The stored keys of the sample rows, from the golden file of {@code table-design}. A test in that
 * module compares the file with the rows.
 */
final class SampleItems {
  private static final Path GOLDEN =
      Path.of("..", "table-design", "src", "test", "resources", "golden", "items.txt");
  private static final Pattern TEXT = Pattern.compile("\"(\\w+)\": \\{\"S\": \"(.*)\"}");

  private final Map<String, List<Map<String, String>>> byEntity;

  SampleItems() {
    try {
      this.byEntity =
          Arrays.stream(Files.readString(GOLDEN).split("(?m)^# \\w+$"))
              .filter(item -> !item.isBlank())
              .map(SampleItems::texts)
              .collect(Collectors.groupingBy(item -> item.get(RowKind.ATTRIBUTE)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> texts(String item) {
    return TEXT.matcher(item)
        .results()
        .collect(Collectors.toMap(text -> text.group(1), text -> text.group(2), (a, _) -> a));
  }

  /** Returns the key of an item of a kind in the table. */
  String key(RowKind kind) {
    return place(first(kind), BaseTable.PK, BaseTable.SK);
  }

  /**
   * Returns the index keys of an item of a kind, with a condition if only some items of the kind
   * are indexed.
   */
  String indexKeys(RowKind kind) {
    return Arrays.stream(Index.values())
        .filter(index -> first(kind).containsKey(index.partitionKey()))
        .map(
            index ->
                "`%s`%s: %s"
                    .formatted(
                        index.indexName(),
                        isAlwaysIn(index, kind) ? "" : " (not all)",
                        place(first(kind), index.partitionKey(), index.sortKey())))
        .collect(Collectors.joining("<br>"));
  }

  private boolean isAlwaysIn(Index index, RowKind kind) {
    return items(kind).allMatch(item -> item.containsKey(index.partitionKey()));
  }

  private Map<String, String> first(RowKind kind) {
    return items(kind).findFirst().orElseThrow();
  }

  private Stream<Map<String, String>> items(RowKind kind) {
    return byEntity.getOrDefault(kind.name(), List.of()).stream();
  }

  private static String place(Map<String, String> item, String partition, String sort) {
    return "`%s` / `%s`".formatted(item.get(partition), item.get(sort));
  }
}
