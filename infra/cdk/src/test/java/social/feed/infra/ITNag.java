package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import io.github.cdklabs.cdknag.NagPackProps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import social.feed.testkit.LongRunning;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awscdk.Aspects;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.assertions.Annotations;
import software.amazon.awscdk.assertions.Match;

/**
 * Tests the rules of AWS Solutions: each finding has a line in {@code excuses.tsv}, and no line is
 * unused.
 */
@LongRunning
class ITNag {
  private static final Pattern FINDING =
      Pattern.compile("^(AwsSolutions-\\w+(?:\\[.*?])?): ", Pattern.DOTALL);
  private static final Pattern RULE = Pattern.compile("CKV_AWS_\\d+|AwsSolutions-.+|[EW]\\d+");

  /** A line of the list. */
  private record Excuse(String rule, String place) {
    boolean covers(String finding) {
      int space = finding.indexOf(' ');
      String pattern =
          Stream.of(place.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
      return finding.substring(space + 1).equals(rule)
          && finding.substring(0, space).matches(pattern);
    }
  }

  @Test
  void stacks_haveTheExcusedFindingsOnly() throws IOException {
    var excuses = excuses();
    var findings = new TreeSet<String>();
    for (Stage stage : Stage.values()) {
      findings.addAll(findings(stage.label(), StandIns.inputs(stage)));
      findings.addAll(findings(stage.label() + "-function", StandIns.function(stage)));
    }
    for (ApiKind api : ApiKind.values()) {
      var media =
          StandIns.inputs(
              Stage.PROD, ApiInputs.API, api.label(), MediaKind.MEDIA, MediaKind.S3.label());
      findings.addAll(findings("media-" + api.label(), media));
    }
    findings.addAll(
        findings(
            "media-distribution",
            StandIns.inputs(Stage.PROD, MediaDistributionTest.inputs(MediaDistributionTest.RSA))));
    var browserApps =
        StandIns.inputs(Stage.PROD, ApiInputs.CORS_ORIGINS, "https://app.example.com");
    findings.addAll(findings("browser-apps", browserApps));
    findings.addAll(findings("sinks", SinksTest.inputs(Stage.PROD)));
    for (ApiKind api : ApiKind.values()) {
      for (Stage stage : Stage.values()) {
        findings.addAll(
            findings(
                "search-%s-%s".formatted(stage.label(), api.label()),
                SearchDomainTest.inputs(stage, api)));
      }
    }

    assertThat(findings)
        .as("each finding is excused")
        .allMatch(finding -> excuses.stream().anyMatch(excuse -> excuse.covers(finding)));
    assertThat(excuses)
        .as("each excuse is used")
        .isNotEmpty()
        .allMatch(excuse -> findings.stream().anyMatch(excuse::covers));
  }

  /** Reads the lines of cdk-nag. A rule that no tool would look at is a mistake in the list. */
  private static List<Excuse> excuses() throws IOException {
    var lines =
        Files.readAllLines(Path.of("excuses.tsv")).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> List.of(line.split("\t", -1)))
            .toList();
    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(line)
                    .as("rule, place and reason")
                    .hasSize(3)
                    .noneMatch(String::isBlank)
                    .first(InstanceOfAssertFactories.STRING)
                    .matches(RULE));
    return lines.stream()
        .filter(line -> line.getFirst().startsWith("AwsSolutions-"))
        .map(line -> new Excuse(line.getFirst(), line.get(1)))
        .toList();
  }

  private static TreeSet<String> findings(String name, Inputs inputs) throws IOException {
    var folder = Path.of("target", "nag", name);
    var app = new App(AppProps.builder().outdir(folder.toString()).build());
    FeedStacks.in(app, inputs);
    Aspects.of(app).add(new AwsSolutionsChecks(NagPackProps.builder().reports(false).build()));
    var findings = new TreeSet<String>();
    for (var child : app.getNode().getChildren()) {
      if (child instanceof Stack stack) {
        var annotations = Annotations.fromStack(stack);
        Stream.of(
                annotations.findError("*", Match.anyValue()),
                annotations.findWarning("*", Match.anyValue()))
            .flatMap(List::stream)
            .forEach(
                message ->
                    findings.add(message.getId() + " " + rule(message.getEntry().getData())));
      }
    }
    return findings;
  }

  private static String rule(Object message) {
    var finding = FINDING.matcher(String.valueOf(message));
    return finding.find() ? finding.group(1) : String.valueOf(message);
  }
}
