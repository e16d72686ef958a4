package social.feed.infra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Substitutes for the function package and the image, of which synthesis reads only the bytes. */
final class StandIns {
  private StandIns() {}

  /** Returns inputs with a table that was restored from a backup. */
  static Inputs withOtherTable(Stage stage, ExistingTable table) throws IOException {
    var inputs = inputs(stage);
    return new Inputs(
        stage,
        inputs.region(),
        inputs.trendHalfLife(),
        inputs.countsConcurrency(),
        inputs.functionZip(),
        inputs.imageDirectory(),
        Optional.of(table));
  }

  static Inputs inputs(Stage stage) throws IOException {
    var folder = Files.createDirectories(Path.of("target", "stand-ins"));
    var zip = Files.writeString(folder.resolve("multiplexer.zip"), "stands in for the package");
    var image = Files.createDirectories(folder.resolve("image"));
    Files.writeString(image.resolve("Dockerfile"), "FROM scratch\n");
    return new Inputs(
        stage, "eu-central-1", "6h", stage.countsConcurrency(), zip, image, Optional.empty());
  }
}
