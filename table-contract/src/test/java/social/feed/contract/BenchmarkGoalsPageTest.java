package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The goals of the benchmarks, in their README, as a page and as a picture, are those that the kept
 * results say.
 */
class BenchmarkGoalsPageTest {
  private static final BenchmarkSource GOALS = new BenchmarkSource("GoalsPage");
  private static final String CHECK = "--check";
  private static final String RESULTS = "results";
  private static final String README = "README.md";

  private static final String PIPELINE =
      """
      Fan-out, backfill and verify against bare calls
      2026-01-02, commit 0123456789ab, 2 processors (one), Java 25
      5 rounds, in turns.

      a second           platform    bare  ratio
      fan-out, entries     11,605  12,215   0.95
      backfill, entries    11,626  12,920   0.90  misses 0.9
      The platform by the bare calls. A bar is the goal.

      Processor time

      µs for each        platform  its engine  bare  its engine
      fan-out, entries         70         152    42          94
      """;

  private static final String IMPORT =
      """
      An import
      2026-01-03, commit 0123456789ab, 2 processors (one), Java 25

      graph          edges  import/s  batch/s             ratio  import, µs  ratio
      star=14060    14,060       554    8,506  0.07, misses 0.5       3,294   0.06
      even=2000x25  50,000     4,730    9,460              0.55         611   0.21
      """;

  private static final String PROFILE =
      """
      Where the processor time goes: Fan-out, backfill and verify against bare calls
      2026-01-02, commit 0123456789ab, 2 processors (one), Java 25

      part  platform  bare
      SDK         10     8
      """;

  @TempDir Path folder;

  @BeforeEach
  void keep() throws IOException {
    Files.createDirectory(folder.resolve(RESULTS));
    Files.writeString(folder.resolve(RESULTS).resolve("pipeline.txt"), PIPELINE);
    Files.writeString(folder.resolve(RESULTS).resolve("import.txt"), IMPORT);
    Files.writeString(folder.resolve(RESULTS).resolve("profiles-pipeline.txt"), PROFILE);
    Files.writeString(
        folder.resolve(README),
        """
        # Benchmarks

        | another table |
        |---|

        ## Goals

        | goal |
        |---|

        The end.
        """);
  }

  @Test
  void goalsOfTheBenchmarks_areRenderedFromTheKeptResults() throws Exception {
    if (Boolean.getBoolean("goldens.update")) {
      GOALS.runIn(BenchmarkSource.BENCHMARKS, RESULTS, README);
    }

    var compared = GOALS.runFromSourceIn(BenchmarkSource.BENCHMARKS, CHECK, RESULTS, README);

    assertThat(compared.code()).as(compared.output()).isZero();
  }

  @Test
  void table_hasEachGoal_andByHowMuchItIsMissed() throws Exception {
    var rendered = GOALS.runIn(folder, RESULTS, README);

    assertThat(rendered.code()).as(rendered.output()).isZero();
    assertThat(Files.readString(folder.resolve(README)))
        .startsWith("# Benchmarks\n\n| another table |\n|---|\n\n## Goals\n\n| goal | ")
        .endsWith("|\n\nThe end.\n")
        .contains(
            "| fan-out, entries a second | at least 0.9 | 0.95 | reached | [2026-01-02](results/pipeline.html), commit 0123456789ab |",
            "| backfill, entries a second | at least 0.9 | 0.90 | missed by less than 0.01, [why](#pipeline), [profile](results/profiles-pipeline.html) | ",
            "| import, edges a second | at least 0.5 | 0.07 (star=14060), 0.55 (even=2000x25) | reached by 1 of 2, missed by 0.43, [why](#import) | [2026-01-03]",
            "| `verify`, rows a second | at least 0.3 |  | not measured |  |",
            "| warm-up of a new process | at most 10 s |  | not measured |  |");
    assertThat(Files.readString(folder.resolve(RESULTS).resolve("index.html")))
        .contains(
            "<a href=\"import.html\">",
            "<code>verify</code>, rows a second",
            "<td>missed by less than 0.01, <a href=\"profiles-pipeline.html\">profile</a><td>",
            "<svg ");
  }

  @Test
  void figureThatChanges_isNoticedInEachFile() throws Exception {
    GOALS.runIn(folder, RESULTS, README);
    var before = GOALS.runIn(folder, CHECK, RESULTS, README);
    var pipeline = folder.resolve(RESULTS).resolve("pipeline.txt");
    Files.writeString(pipeline, PIPELINE.replace("0.95", "0.94"));

    var after = GOALS.runIn(folder, CHECK, RESULTS, README);

    assertThat(before.code()).as(before.output()).isZero();
    assertThat(after.code()).isEqualTo(1);
    assertThat(after.output()).contains("goals.svg", "index.html", README);
  }

  @Test
  void resultsWithoutTheirColumn_areRefused() throws Exception {
    Files.writeString(
        folder.resolve(RESULTS).resolve("pipeline.txt"), PIPELINE.replace("ratio", "factor"));

    var rendered = GOALS.runIn(folder, RESULTS, README);

    assertThat(rendered.code()).isEqualTo(1);
    assertThat(rendered.output()).contains("pipeline.txt has no column ratio for a second");
  }

  @Test
  void profileOfAnotherCommit_isNoReason() throws Exception {
    Files.writeString(
        folder.resolve(RESULTS).resolve("profiles-pipeline.txt"),
        PROFILE.replaceFirst("commit \\w+", "commit ba9876543210"));

    var rendered = GOALS.runIn(folder, RESULTS, README);

    assertThat(rendered.code()).as(rendered.output()).isZero();
    assertThat(Files.readString(folder.resolve(README)))
        .contains("missed by less than 0.01, [why](#pipeline) |");
  }

  @Test
  void ratioOfASideThatStillCompiles_decidesOnNoGoal() throws Exception {
    Files.writeString(
        folder.resolve(RESULTS).resolve("routes.txt"),
        """
        Routes
        2026-01-02, commit 0123456789ab, 2 processors (Some), Java 25

        Processor time a request, µs  platform   bare  ratio
        profile                            200    150   1.33  misses 1.2
        home page, cold                  2,000  1,900   1.05  not warm
        """);

    var rendered = GOALS.runIn(folder, RESULTS, README);

    assertThat(rendered.code()).as(rendered.output()).isZero();
    assertThat(Files.readString(folder.resolve(README)))
        .contains("| at most 1.2 | 1.33 (profile) | missed by 0.13, [why]");
  }
}
