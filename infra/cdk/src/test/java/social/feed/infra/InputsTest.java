package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputsTest {
  @Test
  void stage_ofANameInLowerCase_isFound() {
    assertThat(Stage.named("dev")).isEqualTo(Stage.DEV);
    assertThat(Stage.named("prod")).isEqualTo(Stage.PROD);
  }

  @Test
  void stage_thatNobodyKnows_isRefusedWithThoseThereAre() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> Stage.named("production"))
        .withMessageContaining("dev, prod")
        .withMessageContaining("production");
  }

  @Test
  void inputs_withoutThePackage_nameItAndWhereItWasLookedFor(@TempDir Path folder)
      throws IOException {
    Files.writeString(folder.resolve("Dockerfile"), "FROM scratch");

    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> inputs(folder.resolve("absent.zip"), folder))
        .withMessageContaining("functionZip")
        .withMessageContaining(folder.resolve("absent.zip").toString());
  }

  @Test
  void inputs_withAFolderWithoutDockerfile_nameIt(@TempDir Path folder) throws IOException {
    var zip = Files.writeString(folder.resolve("multiplexer.zip"), "zip");

    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> inputs(zip, folder))
        .withMessageContaining("imageDirectory")
        .withMessageContaining(folder.toString());
  }

  private static Inputs inputs(Path zip, Path image) {
    return new Inputs(Stage.DEV, "eu-central-1", "6h", zip, image);
  }
}
