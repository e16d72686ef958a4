package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that each step of a rotation reads the versions of the secret that it needs. */
class CursorRotationTest {
  private static final String CURRENT = "::AWSCURRENT:";
  private static final String PENDING = "::AWSPENDING:";
  private static final String PENDING_LABEL = "AWSPENDING";

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
    var secrets =
        secrets(Synthesized.of("cursor-rotation", Stage.PROD, ApiInputs.CURSOR_ROTATION, "accept"));

    assertThat(secrets)
        .containsOnlyKeys(CursorRotation.SECRET, CursorRotation.OTHER_SECRET)
        .hasEntrySatisfying(CursorRotation.SECRET, value -> assertEnds(value, CURRENT))
        .hasEntrySatisfying(CursorRotation.OTHER_SECRET, value -> assertEnds(value, PENDING));
  }

  @Test
  void task_thatSigns_acceptsTheCurrentSecret() throws IOException {
    var secrets =
        secrets(Synthesized.of("cursor-rotation", Stage.PROD, ApiInputs.CURSOR_ROTATION, "sign"));

    assertThat(secrets)
        .hasEntrySatisfying(CursorRotation.SECRET, value -> assertEnds(value, PENDING))
        .hasEntrySatisfying(CursorRotation.OTHER_SECRET, value -> assertEnds(value, CURRENT));
  }

  /** The secrets at the two labels. */
  private record Labels(String current, @Nullable String pending) {}

  /** What a process has read. */
  private record Read(String signs, @Nullable String accepts) {
    private boolean acceptsThatOf(Read other) {
      return other.signs.equals(signs) || other.signs.equals(accepts);
    }
  }

  /** What a function of a step reads, for a snapshot that Lambda makes while the labels are so. */
  private static Read read(CursorRotation step, Labels labels) {
    var variables = step.stages();
    return new Read(
        Objects.requireNonNull(at(variables.get("FEED_FUNCTION_CURSOR_SIGNS"), labels)),
        variables.containsKey("FEED_FUNCTION_CURSOR_ACCEPTS")
            ? at(variables.get("FEED_FUNCTION_CURSOR_ACCEPTS"), labels)
            : null);
  }

  private static @Nullable String at(@Nullable String label, Labels labels) {
    return PENDING_LABEL.equals(label) ? labels.pending : labels.current;
  }

  private static boolean acceptEachOther(Read... reads) {
    return Stream.of(reads).allMatch(one -> Stream.of(reads).allMatch(one::acceptsThatOf));
  }

  /** Lambda may make the snapshot of a version again at any time, and it reads the labels then. */
  @Test
  void steps_areSafe_alsoForSnapshotsThatAreMadeAgain() {
    var before = new Labels("old", null);
    var prepared = new Labels("old", "new");
    var moved = new Labels("new", "new");

    assertThat(
            acceptEachOther(
                read(CursorRotation.NONE, before),
                read(CursorRotation.NONE, prepared),
                read(CursorRotation.ACCEPT, prepared)))
        .isTrue();
    assertThat(
            acceptEachOther(
                read(CursorRotation.ACCEPT, prepared), read(CursorRotation.SIGN, prepared)))
        .isTrue();
    assertThat(
            acceptEachOther(
                read(CursorRotation.SIGN, prepared),
                read(CursorRotation.SIGN, moved),
                read(CursorRotation.NONE, moved)))
        .isTrue();
  }

  @Test
  void steps_thatAreLeftOut_areNotSafe() {
    var prepared = new Labels("old", "new");

    assertThat(
            acceptEachOther(
                read(CursorRotation.NONE, prepared), read(CursorRotation.SIGN, prepared)))
        .isFalse();
    // The next rotation began before this one ended.
    assertThat(
            acceptEachOther(
                read(CursorRotation.SIGN, prepared),
                read(CursorRotation.SIGN, new Labels("old", "newer"))))
        .isFalse();
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
            " " + ApiInputs.CURSOR_ROTATION + "=accept`",
            " " + ApiInputs.CURSOR_ROTATION + "=sign`",
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
