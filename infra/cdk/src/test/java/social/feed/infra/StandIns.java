package social.feed.infra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Substitutes for the function package and the image, of which synthesis reads only the bytes. */
final class StandIns {
  static final String MAIL_FROM = "no-reply@mail.example.com";

  private StandIns() {}

  /** Returns inputs with a table that was restored from a backup. */
  static Inputs withOtherTable(Stage stage, ExistingTable table) throws IOException {
    var inputs = inputs(stage);
    return with(inputs, inputs.imageDirectory(), inputs.image(), inputs.apps(), Optional.of(table));
  }

  /** Returns inputs with browser apps of other origins. */
  static Inputs withApps(Stage stage, String origins) throws IOException {
    var inputs = inputs(stage);
    var apps = BrowserApps.of(origins);
    return with(inputs, inputs.imageDirectory(), inputs.image(), apps, Optional.empty());
  }

  /** Returns inputs with an image of a registry. */
  static Inputs withImage(Stage stage, String image) throws IOException {
    var inputs = inputs(stage);
    var published = Optional.of(new PublishedImage(image));
    return with(inputs, Path.of("absent"), published, inputs.apps(), Optional.empty());
  }

  /** Returns inputs with a step in which the secret of cursors is replaced. */
  static Inputs withRotation(Stage stage, CursorRotation step) throws IOException {
    var inputs = inputs(stage);
    return new Inputs(
        inputs.stage(),
        inputs.region(),
        inputs.trendHalfLife(),
        inputs.countsConcurrency(),
        inputs.functionZip(),
        inputs.api(),
        inputs.apiFunctionZip(),
        inputs.imageDirectory(),
        inputs.image(),
        inputs.mailSender(),
        inputs.apps(),
        step,
        inputs.otherTable());
  }

  /** Returns inputs of an API that runs as a function. */
  static Inputs withFunction(Stage stage, String origins, CursorRotation step) throws IOException {
    var inputs = inputs(stage);
    return new Inputs(
        inputs.stage(),
        inputs.region(),
        inputs.trendHalfLife(),
        inputs.countsConcurrency(),
        inputs.functionZip(),
        ApiKind.FUNCTION,
        Files.writeString(
            Path.of("target", "stand-ins", "api.zip"), "stands in for the API's package"),
        Path.of("absent"),
        Optional.empty(),
        inputs.mailSender(),
        BrowserApps.of(origins),
        step,
        inputs.otherTable());
  }

  private static Inputs with(
      Inputs inputs,
      Path imageDirectory,
      Optional<PublishedImage> image,
      BrowserApps apps,
      Optional<ExistingTable> table) {
    return new Inputs(
        inputs.stage(),
        inputs.region(),
        inputs.trendHalfLife(),
        inputs.countsConcurrency(),
        inputs.functionZip(),
        inputs.api(),
        inputs.apiFunctionZip(),
        imageDirectory,
        image,
        inputs.mailSender(),
        apps,
        inputs.cursorRotation(),
        table);
  }

  static Inputs inputs(Stage stage) throws IOException {
    var folder = Files.createDirectories(Path.of("target", "stand-ins"));
    var zip = Files.writeString(folder.resolve("multiplexer.zip"), "stands in for the package");
    var image = Files.createDirectories(folder.resolve("image"));
    Files.writeString(image.resolve("Dockerfile"), "FROM scratch\n");
    return new Inputs(
        stage,
        "eu-central-1",
        "6h",
        stage.countsConcurrency(),
        zip,
        ApiKind.SERVICE,
        zip,
        image,
        Optional.empty(),
        Optional.of(MAIL_FROM).filter(_ -> stage == Stage.PROD).map(MailSender::new),
        BrowserApps.of(""),
        CursorRotation.NONE,
        Optional.empty());
  }
}
