package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuspicionCommandTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void graph_isMeasuredAtEachPace() throws IOException {
    assertThat(run("--edges", file(ring()), "--bots", "20")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("Ordinary accounts follow ten a day: precision 1.000")
        .containsPattern("ring, same list +20 of +20 listed  same_order, new_account");
  }

  @Test
  void thresholds_areThoseOfTheOptions() throws IOException {
    assertThat(run("--edges", file(ring()), "--bots", "20", "--suspicious", "score=1000")).isZero();

    assertThat(out.toString()).containsPattern("ring, same list +0 of +20 listed");
  }

  @Test
  void badOptionsAndGraphs_areRefused() throws IOException {
    assertThat(run("--edges", folder.resolve("none").toString())).isEqualTo(2);
    assertThat(run("--edges", file("a b\n"), "--bots", "19")).isEqualTo(2);
    assertThat(run("--edges", file("a b\n"))).isEqualTo(2);
    assertThat(run("--edges", file("a\n"))).isEqualTo(2);
    assertThat(err.toString())
        .contains("Cannot read the file")
        .contains("--bots must be 20 to 10000, not 19")
        .contains("The graph must have at least 60 followed accounts")
        .contains("Line 1 of the graph is bad");
  }

  private static String ring() {
    return IntStream.range(0, 100)
        .mapToObj(i -> "u%d u%d".formatted(i, (i + 1) % 100))
        .collect(Collectors.joining("\n"));
  }

  private String file(String graph) throws IOException {
    return Files.writeString(folder.resolve("graph"), graph).toString();
  }

  private int run(String... arguments) {
    var all = new String[arguments.length + 1];
    all[0] = "suspicion";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all);
  }
}
