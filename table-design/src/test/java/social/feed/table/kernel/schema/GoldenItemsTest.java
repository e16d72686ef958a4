package social.feed.table.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.row.Row;

/**
 * Compares the stored form of sample rows with the golden file: one item of each kind, and one that
 * is not in the index for each kind that is sparse in it. Only {@code -Dgoldens.update=true}
 * rewrites the file.
 */
class GoldenItemsTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/items.txt");

  @Test
  void items_ofEachKind_equalTheGoldenFile() throws IOException {
    var items = items();
    if (Boolean.getBoolean("goldens.update")) {
      Files.writeString(GOLDEN, items);
    }

    assertThat(items).isEqualTo(Files.readString(GOLDEN));
  }

  private static String items() {
    return Stream.concat(SampleRows.complete().stream(), SampleRows.variants().stream())
        .map(GoldenItemsTest::item)
        .collect(Collectors.joining("\n"));
  }

  private static String item(Row row) {
    return "# " + heading(row) + "\n" + ItemJson.of(RowCodec.encode(row));
  }

  /** The entity type in camel case, so that renaming a record does not change the file. */
  private static String heading(Row row) {
    return Arrays.stream(row.kind().name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
