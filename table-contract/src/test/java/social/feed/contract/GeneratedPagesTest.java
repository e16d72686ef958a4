package social.feed.contract;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import social.feed.table.access.AccessPattern;
import social.feed.table.declaration.Index;
import social.feed.table.declaration.IndexDeclaration;
import social.feed.table.row.RowKind;
import social.feed.table.schema.AttributeNames;
import social.feed.table.schema.FeedTable;
import social.feed.testkit.GeneratedPage;

/** The table and its patterns as pages for people. */
class GeneratedPagesTest {
  private static final String HEAD = "\n\nWritten from the code by a test; do not edit.\n\n";

  @Test
  void tablePage_isTheDeclaration() {
    var table = FeedTable.DECLARATION;
    var page = new StringBuilder("# The table" + HEAD);
    page.append("| | |\n|---|---|\n");
    page.append("| partition key | `%s` |\n".formatted(table.partitionKey()));
    page.append("| sort key | `%s` |\n".formatted(table.sortKey()));
    page.append("| time to live | `%s`, epoch seconds |\n".formatted(table.ttlAttribute()));
    page.append("| billing | on demand |\n| stream | new and old images |\n");
    page.append("| entity type | `%s` |\n\n".formatted(RowKind.ATTRIBUTE));
    page.append("## Indexes\n\n| index | keys | projected | finds |\n|---|---|---|---|\n");
    table.indexes().forEach(index -> page.append(line(index)));
    page.append("\n## Rows\n\n| entity | attributes beside the keys |\n|---|---|\n");
    for (var kind : RowKind.values()) {
      page.append("| `%s` | %s |\n".formatted(kind, attributes(kind)));
    }
    GeneratedPage.named("table.md").is(page.toString());
  }

  @Test
  void patternsPage_isTheMatrix() {
    var page = new StringBuilder("# The access patterns" + HEAD);
    page.append("| id | pattern | path | index | order | max page | p99 goal |\n");
    page.append("|---|---|---|---|---|---|---|\n");
    for (var pattern : AccessPattern.values()) {
      page.append(
          "| %s | %s | %s | %s | %s | %d | %d ms |\n"
              .formatted(
                  pattern.id(),
                  pattern.title(),
                  pattern.path(),
                  pattern.index().map(Index::indexName).orElse("table"),
                  AttributeNames.of(pattern.order().name().toLowerCase(Locale.ROOT))
                      .replace('_', ' '),
                  pattern.maxPage(),
                  pattern.goalMillis()));
    }
    GeneratedPage.named("access-patterns.md").is(page.toString());
  }

  private static String line(IndexDeclaration index) {
    return "| `%s` | `%s`, `%s` | %s | %s |\n"
        .formatted(
            index.name(),
            index.partitionKey(),
            index.sortKey(),
            index.projected().stream().map(a -> "`" + a + "`").collect(Collectors.joining(", ")),
            index.purpose());
  }

  private static String attributes(RowKind kind) {
    return Arrays.stream(kind.type().getRecordComponents())
        .map(component -> "`" + AttributeNames.of(component.getName()) + "`")
        .collect(Collectors.joining(", "));
  }
}
