package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import io.github.cdklabs.cdknag.NagPackProps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awscdk.Aspects;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.assertions.Annotations;
import software.amazon.awscdk.assertions.Match;

/**
 * Tests the rules of AWS Solutions: each violation has a suppression with a reason, and no
 * suppression is unused.
 */
class ITNag {
  private static final Pattern FINDING =
      Pattern.compile("^(AwsSolutions-\\w+(?:\\[.*?])?): ", Pattern.DOTALL);

  @ParameterizedTest
  @EnumSource(Stage.class)
  void stacks_violateOnlyTheSuppressedRules(Stage stage) throws IOException {
    assertThat(findings(stage.label(), StandIns.inputs(stage)))
        .containsExactlyInAnyOrderElementsOf(NagSuppressions.of(stage));
  }

  @Test
  void stacks_withBrowserApps_violateTheRulesAboutPreflightsToo() throws IOException {
    var findings =
        findings(
            "browser-apps",
            StandIns.inputs(Stage.PROD, Inputs.CORS_ORIGINS, "https://app.example.com"));
    var more = NagSuppressions.ofBrowserApps(Stage.PROD);

    assertThat(findings)
        .containsAll(more)
        .filteredOn(finding -> !more.contains(finding))
        .containsExactlyInAnyOrderElementsOf(NagSuppressions.of(Stage.PROD));
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void stacks_withTheApiAsAFunction_violateOnlyTheSuppressedRules(Stage stage) throws IOException {
    assertThat(findings(stage.label() + "-function", StandIns.function(stage)))
        .containsExactlyInAnyOrderElementsOf(NagSuppressions.ofFunction(stage));
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
