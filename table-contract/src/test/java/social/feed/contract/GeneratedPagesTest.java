package social.feed.contract;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.schema.AttributeNames;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.row.RowKind;
import social.feed.testkit.GeneratedPage;

/** Generates the documentation pages of the table and its access patterns. */
class GeneratedPagesTest {
  private static final String HEAD = "\n\nWritten from the code by a test; do not edit.\n\n";

  @Test
  void tablePage_matchesTheDeclaration() {
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
    page.append(
        "\n## Keys\n\nThe keys of the sample rows, `PK` / `SK`. A post's id is a ULID.\n\n");
    page.append("| entity | record | in the table | in indexes |\n|---|---|---|---|\n");
    var samples = new SampleItems();
    for (var kind : RowKind.values()) {
      page.append(
          "| `%s` | `%s` | %s | %s |\n"
              .formatted(
                  kind, kind.type().getSimpleName(), samples.key(kind), samples.indexKeys(kind)));
    }
    page.append(
        "\n## Rows\n\n| entity | attributes other than the keys | written later, by updates |\n");
    page.append("|---|---|---|\n");
    for (var kind : RowKind.values()) {
      page.append(
          "| `%s` | %s | %s |\n".formatted(kind, attributes(kind), code(kind.extraAttributes())));
    }
    GeneratedPage.named("table.md").is(page.toString());
  }

  @Test
  void patternsPage_matchesTheMatrix() {
    var page = new StringBuilder("# The access patterns" + HEAD);
    page.append("The key condition and the consistency are those of the first request for a page,");
    page.append(" as a test records it.\n\n");
    page.append("| id | pattern | path | key condition | consistency | index | order | max page |");
    page.append(" p99 goal |\n|---|---|---|---|---|---|---|---|---|\n");
    var sent = new SentRequests();
    for (var pattern : AccessPattern.values()) {
      page.append(
          "| %s | %s | %s | %s | %s | %s | %s | %d | %d ms |\n"
              .formatted(
                  pattern.id(),
                  pattern.title(),
                  pattern.path(),
                  sent.condition(pattern),
                  sent.consistency(pattern),
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
            code(List.copyOf(index.projected())),
            index.purpose());
  }

  private static String attributes(RowKind kind) {
    return code(
        Arrays.stream(kind.type().getRecordComponents())
            .map(component -> AttributeNames.of(component.getName()))
            .toList());
  }

  private static String code(List<String> names) {
    return names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
  }
}
