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

/**
 * Tests the app as the {@code cdk} command runs it: in a separate process, with the inputs as
 * context.
 */
class ITSynthesis {

  /** The entries that the command itself adds to the context. */
  private static final String CONTEXT_OF_COMMAND =
      """
      "aws:cdk:enable-path-metadata":true,"aws:cdk:enable-asset-metadata":true,"aws:cdk:bundling-stacks":["**"],\
      "api":{"dev":"function","prod":"service"},\
      """;

  /**
   * Different bytes would show differences at each deployment. The other process is that of the
   * tests, so equal bytes also mean that they check the templates that the command deploys.
   */
  @Test
  void synthesis_inTwoProcesses_givesTheSameBytes(@TempDir Path folder) throws Exception {
    var one = synthesized(folder, CONTEXT_OF_COMMAND, StandIns.inputs(Stage.PROD));
    var other = templates(Synthesized.of(Stage.PROD).folder());

    assertThat(one.keySet())
        .containsExactly(
            "feed-prod-api.template.json",
            "feed-prod-data.template.json",
            "feed-prod-stream.template.json",
            "feed-prod-watch.template.json");
    assertThat(other).isEqualTo(one);
  }

  @Test
  void synthesis_withoutThePackage_reportsTheMissingInput(@TempDir Path folder) throws Exception {
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
            {%s"stage":"%s","functionZip":"%s","imageDirectory":"%s","mailFrom":"%s"}\
            """
                .formatted(
                    context,
                    inputs.stage().label(),
                    inputs.functionZip().toAbsolutePath(),
                    inputs.api().imageDirectory().toAbsolutePath(),
                    inputs.mailSender().map(MailSender::address).orElse("")));
    var errors = process.errorReader().lines().collect(Collectors.joining("\n"));
    assertThat(process.waitFor()).as(errors).isZero();
    return templates(folder);
  }

  private static Map<String, String> templates(Path folder) throws IOException {
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
    // The command validates the templates.
    builder.environment().remove("CDK_VALIDATION");
    return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
  }
}
