package social.feed.ctl.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.RowKind;
import social.feed.testkit.GeneratedPage;

/** The figures of {@code docs/at-scale.md} are the output of {@code ./feed plan}. */
class AtScalePageTest {
  private static final String PAGE = "at-scale.md";
  private static final double EDGES = 200e9;
  private static final double TB = 1e12;

  @ParameterizedTest
  @CsvSource({
    "1000000, A million users: the plan",
    "100000000, A hundred million users: the plan",
    "1000000000, A billion users: the plan"
  })
  void figures_areThoseOfThePlan(String users, String heading) {
    var arguments = arguments(users);
    var options = options(arguments);

    GeneratedPage.named(PAGE)
        .has(
            "## " + heading + "\n",
            "\nA test writes this section with `./feed plan %s`; do not edit it.\n\n%s"
                .formatted(String.join(" ", arguments), options.report().markdown()));
  }

  /** Each limit that a platform exceeds has an advice, and each advice a limit. */
  @Test
  void limits_areInTheirOrderWithAnAdvice() throws IOException {
    var advice = advice();
    var exceeded = FirstExceeded.of(AtScalePageTest::limits).rows();
    var table = new StringBuilder();
    for (var row : exceeded) {
      table.append(
          "| %s | %s | %s | %s |%n"
              .formatted(
                  Section.text(row.get(0)),
                  row.get(1),
                  Section.text(row.get(2)),
                  advice.getOrDefault(row.get(1).toString(), "")));
    }

    assertThat(exceeded).extracting(row -> row.get(1)).hasSameElementsAs(advice.keySet());
    GeneratedPage.named(PAGE)
        .has(
            "## What breaks first\n",
            """

            A test writes this section with the options of the plans below and a growing number of users; do not edit it.

            | more users than | what is exceeded | its default | why | what to do |
            |---|---|---|---|---|
            %s
            """
                .formatted(table));
  }

  /** Returns reason and remedy by the name of the limit, as two cells. */
  private static Map<String, String> advice() throws IOException {
    return Files.readAllLines(Path.of("src", "test", "resources", "what-breaks-first.txt")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" \\| ", 2))
        .collect(Collectors.toMap(cells -> cells[0], cells -> cells[1]));
  }

  private static List<Limit> limits(long users) {
    var inputs = options(arguments(Long.toString(users))).inputs();
    return new CapacityPlan(inputs, new Prices(Map.of())).limits();
  }

  private static String[] arguments(String users) {
    return new String[] {"--users", users, "--new-follows", "4.32", "--lists", "43.2"};
  }

  private static PlanOptions options(String[] arguments) {
    var options = new PlanOptions();
    new CommandLine(options).parseArgs(arguments);
    return options;
  }

  @Test
  void bytesOfFollows_areThoseOfTheirRows() {
    GeneratedPage.named(PAGE)
        .has(
            "## The bytes of a follow\n",
            """

            A test writes this table; do not edit it. Each item and index entry includes the 100 bytes that DynamoDB adds.

            | ids of accounts | in the table | in `%s` | in `%s` | a follow | 200 billion follows |
            |---|---|---|---|---|---|
            %s%s
            """
                .formatted(
                    Index.FOLLOWERS.indexName(),
                    Index.FOLLOWING.indexName(),
                    follow(26, "ULID"),
                    follow(36, "UUID, as Cognito's")));
  }

  private static String follow(int idLength, String name) {
    var bytes = new StoredRows(idLength).of(RowKind.FOLLOW);
    return "| %d characters (%s) | %d | %d | %d | %d bytes | %.0f TB |%n"
        .formatted(
            idLength,
            name,
            bytes.table(),
            bytes.indexes().get(Index.FOLLOWERS.indexName()),
            bytes.indexes().get(Index.FOLLOWING.indexName()),
            bytes.all(),
            EDGES * bytes.all() / TB);
  }
}
