package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;

class InputsTest {
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

  @Test
  void repair_isTrueOrFalse() throws IOException {
    var standIns = StandIns.withFunction(Stage.DEV, "", CursorRotation.NONE);
    var context = new TreeMap<String, Object>();
    context.put("api", "function");
    context.put("functionZip", standIns.functionZip().toString());
    context.put("apiFunctionZip", standIns.apiFunctionZip().toString());
    context.put("imageDirectory", standIns.imageDirectory().toString());

    assertThat(inputs(context).repair()).isFalse();
    context.put("repair", "true");
    assertThat(inputs(context).repair()).isTrue();
    context.put("repair", "yes");
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> inputs(context))
        .withMessage("repair must be true or false, not yes");
  }

  private static Inputs inputs(Map<String, Object> context) {
    return Inputs.of(new App(AppProps.builder().context(context).build()).getNode());
  }

  @Test
  void inputs_withoutThePackage_throwWithItsPath(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("Dockerfile"), "FROM scratch");

    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> inputs(folder.resolve("absent.zip"), folder))
        .withMessageContaining("functionZip")
        .withMessageContaining(folder.resolve("absent.zip").toString());
  }

  @Test
  void inputs_withAFolderWithoutDockerfile_throwWithTheFolder(@TempDir Path folder)
      throws IOException {
    var zip = Files.writeString(folder.resolve("multiplexer.zip"), "zip");

    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> inputs(zip, folder))
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
  void inputs_ofProductionWithoutAMailSender_throwWithWhatToDo() throws IOException {
    var complete = StandIns.inputs(Stage.PROD);

    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(
            () ->
                new Inputs(
                    Stage.PROD,
                    complete.region(),
                    complete.trendHalfLife(),
                    complete.countsConcurrency(),
                    complete.functionZip(),
                    complete.api(),
                    complete.apiFunctionZip(),
                    complete.imageDirectory(),
                    Optional.empty(),
                    Optional.empty(),
                    BrowserApps.of(""),
                    CursorRotation.NONE,
                    Optional.empty()))
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

  private static Inputs inputs(Path zip, Path image) {
    return new Inputs(
        Stage.DEV,
        "eu-central-1",
        "6h",
        0,
        zip,
        ApiKind.SERVICE,
        zip,
        image,
        Optional.empty(),
        Optional.empty(),
        BrowserApps.of(""),
        CursorRotation.NONE,
        Optional.empty());
  }
}
