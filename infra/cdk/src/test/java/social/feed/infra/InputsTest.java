package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private static Inputs inputs(Path zip, Path image) {
    return new Inputs(Stage.DEV, "eu-central-1", "6h", 0, zip, image, Optional.empty());
  }
}
