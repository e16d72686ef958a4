package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputsTest {
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void stage_byLabel_isFound() {
    assertThat(Stage.named("dev")).isEqualTo(Stage.DEV);
    assertThat(Stage.named("prod")).isEqualTo(Stage.PROD);
  }

  @Test
  void stage_thatDoesNotExist_isRejectedWithTheValidOnes() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> Stage.named("production"))
        .withMessageContaining("dev, prod")
        .withMessageContaining("production");
  }

  /** It would deploy the default in place of what was meant. */
  @Test
  void nameThatIsNoInput_isRejectedWithTheInputs() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.DEV, "corsOrigin", "https://app.example.com"))
        .withMessageContaining("corsOrigin is no input. The inputs are api, apiFunctionZip, cache,")
        .withMessageContaining("corsOrigins");
  }

  @Test
  void page_hasEachInput_andNoOther() throws IOException {
    var lines = Files.readAllLines(Path.of("README.md"));
    var head = lines.indexOf("| input | meaning | default |");
    var onThePage =
        lines.subList(head + 2, lines.size()).stream()
            .takeWhile(line -> line.startsWith("| `"))
            .flatMap(line -> NAME.matcher(line.substring(0, line.indexOf('|', 1))).results())
            .map(name -> name.group(1))
            .toList();

    assertThat(onThePage).containsExactlyInAnyOrderElementsOf(StandIns.names());
  }

  @Test
  void repair_isTrueOrFalse() throws IOException {
    assertThat(StandIns.inputs(Stage.DEV).repair()).isFalse();
    assertThat(StandIns.inputs(Stage.DEV, Inputs.REPAIR, "true").repair()).isTrue();
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.DEV, Inputs.REPAIR, "yes"))
        .withMessage("repair must be true or false, not yes");
  }

  /** The default would be deployed in place of what the file says. */
  @Test
  void numbersAndTruthValues_ofTheContext_areInputs() throws IOException {
    var inputs =
        StandIns.inputs(
            Stage.DEV,
            Map.of(
                "countsConcurrency",
                300,
                Inputs.REPAIR,
                true,
                GatewayRate.GATEWAY_REQUESTS,
                61_000,
                TraceInputs.TRACING,
                0.0001,
                TraceInputs.COLLECTOR,
                "https://spans.example.com/v1/traces"));

    assertThat(inputs.countsConcurrency()).isEqualTo(300);
    assertThat(inputs.repair()).isTrue();
    assertThat(inputs.api().gateway()).contains(new GatewayRate(61_000));
    assertThat(inputs.traces().ratio()).isEqualTo("0.0001");
  }

  /** Otherwise a stage would get a new table, or that of the other stage. */
  @Test
  void valueOfEachStage_isForThisStageOnly() throws IOException {
    var context =
        Map.of(
            ExistingTable.TABLE_NAME,
            Map.of("prod", "restored"),
            ExistingTable.STREAM_LABEL,
            Map.of("prod", "2026-11-21T10:00:00.000"),
            "countsConcurrency",
            Map.of("dev", 7));

    var prod = StandIns.inputs(Stage.PROD, context);
    var dev = StandIns.inputs(Stage.DEV, context);

    assertThat(prod.otherTable())
        .contains(new ExistingTable("restored", "2026-11-21T10:00:00.000"));
    assertThat(prod.countsConcurrency()).isEqualTo(Stage.PROD.countsConcurrency());
    assertThat(dev.otherTable()).isEmpty();
    assertThat(dev.countsConcurrency()).isEqualTo(7);
  }

  private static Stream<Object> otherForms() {
    return Stream.of(
        List.of("restored"), Map.of("production", "restored"), Map.of("dev", List.of("restored")));
  }

  @ParameterizedTest
  @MethodSource("otherForms")
  void valueOfAnotherForm_isRejectedWithTheForms(Object value) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.DEV, Map.of(ExistingTable.TABLE_NAME, value)))
        .withMessageContaining("tableName must be a text, a number, true or false, or one of these")
        .withMessageContaining("{\"dev\": …, \"prod\": …}")
        .withMessageContaining("restored");
  }

  /** A stage by stage says nothing. */
  @Test
  void stage_ofEachStage_isRejected() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.of(Map.of(Inputs.STAGE, Map.of("dev", "prod"))))
        .withMessageContaining("stage must be one of dev, prod, not {dev=prod}");
  }

  @Test
  void inputs_withoutThePackage_throwWithItsPath(@TempDir Path folder) {
    var absent = folder.resolve("absent.zip").toString();

    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.DEV, Inputs.FUNCTION_ZIP, absent))
        .withMessageContaining("functionZip")
        .withMessageContaining(absent);
  }

  @Test
  void inputs_withAFolderWithoutDockerfile_throwWithTheFolder(@TempDir Path folder) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.DEV, ApiInputs.IMAGE_DIRECTORY, folder.toString()))
        .withMessageContaining("imageDirectory")
        .withMessageContaining(folder.toString());
  }

  /** Otherwise the lanes would use one table, and the API another. */
  @ParameterizedTest
  @CsvSource({
    "restored,''",
    "'',2026-11-21T10:00:00.000",
    "restored,arn:aws:dynamodb:eu-central-1:table/restored/stream/2026-11-21T10:00:00.000",
    "arn:aws:dynamodb:eu-central-1:table/restored,2026-11-21T10:00:00.000"
  })
  void otherTable_withoutNameOrStreamLabel_isRejected(String name, String streamLabel) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> new ExistingTable(name, streamLabel))
        .withMessageContaining("both tableName and streamLabel");
  }

  /** Cognito's own sender sends some 50 e-mails a day, which is too few for people who sign up. */
  @Test
  void inputs_ofProductionWithoutAMailSender_throwWithWhatToDo() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.PROD, Inputs.MAIL_FROM, ""))
        .withMessageContaining("-c mailFrom=no-reply@YOUR.DOMAIN")
        .withMessageContaining("verified identity of SES in eu-central-1")
        .withMessageContaining("sandbox");
  }

  @ParameterizedTest
  @ValueSource(strings = {"example.com", "no-reply@", "a b@example.com", "Feed <a@example.com>"})
  void mailSender_thatIsNoAddress_isRejected(String address) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> new MailSender(address))
        .withMessageContaining("mailFrom must be an address")
        .withMessageContaining(address);
  }

  /** A tag may name another image at the next start of a task. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "123456789012.dkr.ecr.eu-central-1.amazonaws.com/feed:1.0",
        "123456789012.dkr.ecr.eu-central-1.amazonaws.com/feed",
        "registry.example.com/feed@sha256:abc",
        "registry.example.com/feed:1.0@sha256:%s",
        "sha256:%s"
      })
  void image_withoutADigest_isRejected(String name) {
    var image = name.formatted("0".repeat(64));

    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> new PublishedImage(image))
        .withMessageContaining("image must name a digest")
        .withMessageContaining(image)
        .withMessageContaining("aws ecr describe-images");
  }
}
