package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The app as the {@code cdk} command runs it: a process of its own, inputs as context. */
class ITSynthesis {

  /** What the command adds to the context by itself. */
  private static final String OF_COMMAND =
      """
      "aws:cdk:enable-path-metadata":true,"aws:cdk:enable-asset-metadata":true,"aws:cdk:bundling-stacks":["**"],\
      """;

  /**
   * Otherwise every deployment would show differences without a change. And what the command
   * deploys is what the tests look at.
   */
  @Test
  void synthesis_inTwoProcesses_givesTheSameBytes(@TempDir Path folder) throws Exception {
    var inputs = StandIns.inputs(Stage.PROD);
    var one = synthesized(folder.resolve("one"), OF_COMMAND, inputs);
    var other = synthesized(folder.resolve("other"), "", inputs);

    assertThat(one.keySet())
        .containsExactly(
            "feed-prod-api.template.json",
            "feed-prod-data.template.json",
            "feed-prod-stream.template.json",
            "feed-prod-watch.template.json");
    assertThat(other).isEqualTo(one);
  }

  @Test
  void synthesis_withoutThePackage_saysWhatIsMissing(@TempDir Path folder) throws Exception {
    var process = start(folder, "{\"stage\":\"dev\"}");

    assertThat(process.errorReader().lines().collect(Collectors.joining("\n")))
        .contains("-c functionZip=PATH");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  private static Map<String, String> synthesized(Path folder, String context, Inputs inputs)
      throws Exception {
    var process =
        start(
            folder,
            """
            {%s"stage":"%s","functionZip":"%s","imageDirectory":"%s"}\
            """
                .formatted(
                    context,
                    inputs.stage().label(),
                    inputs.functionZip().toAbsolutePath(),
                    inputs.imageDirectory().toAbsolutePath()));
    var said = process.errorReader().lines().collect(Collectors.joining("\n"));
    assertThat(process.waitFor()).as(said).isZero();
    var templates = new TreeMap<String, String>();
    try (var files = Files.list(folder)) {
      for (var file : files.sorted(Comparator.naturalOrder()).toList()) {
        if (file.toString().endsWith(".template.json")) {
          templates.put(file.getFileName().toString(), Files.readString(file));
        }
      }
    }
    return templates;
  }

  private static Process start(Path folder, String context) throws IOException {
    var builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FeedApp.class.getName()));
    builder.environment().put("CDK_OUTDIR", folder.toString());
    builder.environment().put("CDK_CONTEXT_JSON", context);
    return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
  }
}
