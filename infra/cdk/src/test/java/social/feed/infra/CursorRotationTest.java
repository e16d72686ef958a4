package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests that tasks get the versions of the secret that each step of a rotation needs. */
class CursorRotationTest {
  private static final String CURRENT = "::AWSCURRENT:";
  private static final String PENDING = "::AWSPENDING:";

  @Test
  void task_outsideARotation_hasTheSecretItself() {
    var secrets = secrets(Synthesized.of(Stage.PROD));

    assertThat(secrets)
        .containsOnlyKeys(CursorRotation.SECRET)
        .hasEntrySatisfying(
            CursorRotation.SECRET, value -> assertThat(value.toString()).doesNotContain("::"));
  }

  @Test
  void task_thatAccepts_signsWithTheCurrentSecret() throws IOException {
    var secrets = secrets(Synthesized.withRotation(CursorRotation.ACCEPT, Stage.PROD));

    assertThat(secrets)
        .containsOnlyKeys(CursorRotation.SECRET, CursorRotation.OTHER_SECRET)
        .hasEntrySatisfying(CursorRotation.SECRET, value -> assertEnds(value, CURRENT))
        .hasEntrySatisfying(CursorRotation.OTHER_SECRET, value -> assertEnds(value, PENDING));
  }

  @Test
  void task_thatSigns_acceptsTheCurrentSecret() throws IOException {
    var secrets = secrets(Synthesized.withRotation(CursorRotation.SIGN, Stage.PROD));

    assertThat(secrets)
        .hasEntrySatisfying(CursorRotation.SECRET, value -> assertEnds(value, PENDING))
        .hasEntrySatisfying(CursorRotation.OTHER_SECRET, value -> assertEnds(value, CURRENT));
  }

  /** The operations page takes the secret from this output, and the steps in this order. */
  @Test
  void page_hasTheOutputAndTheSteps() throws IOException {
    assertThat(
            Synthesized.of(Stage.DEV).json("api").at("/Outputs/CursorSecretArn/Value").toString())
        .contains("CursorSecret");
    assertThat(Files.readString(Path.of("..", "..", "docs", "operations.md")))
        .containsSubsequence(
            "`CursorSecretArn`",
            " " + Inputs.CURSOR_ROTATION + "=accept`",
            " " + Inputs.CURSOR_ROTATION + "=sign`",
            "--version-stage AWSCURRENT");
  }

  @Test
  void step_thatDoesNotExist_isRejectedWithTheValidOnes() {
    assertThat(CursorRotation.named("sign")).isEqualTo(CursorRotation.SIGN);
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> CursorRotation.named("swap"))
        .withMessage("cursorRotation must be one of none, accept, sign, not swap");
  }

  private static void assertEnds(JsonNode value, String end) {
    var parts = value.required("Fn::Join").required(1);
    assertThat(parts.get(0).toString()).contains("CursorSecret");
    assertThat(parts.get(parts.size() - 1).textValue()).isEqualTo(end);
  }

  private static Map<String, JsonNode> secrets(Synthesized stacks) {
    var secrets = new TreeMap<String, JsonNode>();
    stacks
        .only("api", "AWS::ECS::TaskDefinition")
        .at("/ContainerDefinitions/0/Secrets")
        .forEach(
            secret ->
                secrets.put(secret.required("Name").textValue(), secret.required("ValueFrom")));
    return secrets;
  }
}
