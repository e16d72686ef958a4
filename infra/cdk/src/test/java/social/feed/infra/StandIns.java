package social.feed.infra;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Substitutes for the function package and the image, of which synthesis reads only the bytes. */
final class StandIns {
  static final String MAIL_FROM = "no-reply@mail.example.com";

  private static final Path ABSENT = Path.of("absent");

  private StandIns() {}

  /** Returns inputs with a table that was restored from a backup. */
  static Inputs withOtherTable(Stage stage, ExistingTable table) throws IOException {
    var inputs = inputs(stage);
    return with(inputs, inputs.image(), inputs.apps(), inputs.cursorRotation(), Optional.of(table));
  }

  /** Returns inputs with browser apps of other origins. */
  static Inputs withApps(Stage stage, String origins) throws IOException {
    var inputs = inputs(stage);
    return with(
        inputs,
        inputs.image(),
        BrowserApps.of(origins),
        inputs.cursorRotation(),
        inputs.otherTable());
  }

  /** Returns inputs with an image of a registry. */
  static Inputs withImage(Stage stage, String image) throws IOException {
    var inputs = inputs(stage);
    return with(
        inputs,
        Optional.of(new PublishedImage(image)),
        inputs.apps(),
        inputs.cursorRotation(),
        inputs.otherTable());
  }

  /** Returns inputs with a step in which the secret of cursors is replaced. */
  static Inputs withRotation(Stage stage, CursorRotation step) throws IOException {
    var inputs = inputs(stage);
    return with(inputs, inputs.image(), inputs.apps(), step, inputs.otherTable());
  }

  /** Returns inputs of an API that runs as a function. */
  static Inputs withFunction(Stage stage, String origins, CursorRotation step) throws IOException {
    return with(
        inputs(stage, ApiKind.FUNCTION),
        Optional.empty(),
        BrowserApps.of(origins),
        step,
        Optional.empty());
  }

  private static Inputs with(
      Inputs inputs,
      Optional<PublishedImage> image,
      BrowserApps apps,
      CursorRotation step,
      Optional<ExistingTable> table) {
    return new Inputs(
        inputs.stage(),
        inputs.region(),
        inputs.trendHalfLife(),
        inputs.countsConcurrency(),
        inputs.functionZip(),
        inputs.api(),
        inputs.apiFunctionZip(),
        image.isPresent() ? ABSENT : inputs.imageDirectory(),
        image,
        inputs.mailSender(),
        apps,
        step,
        table);
  }

  static Inputs inputs(Stage stage) throws IOException {
    return inputs(stage, ApiKind.SERVICE);
  }

  /** Returns inputs with the package or the image that the kind needs, and without the other. */
  private static Inputs inputs(Stage stage, ApiKind kind) throws IOException {
    var folder = Files.createDirectories(Path.of("target", "stand-ins"));
    var zip = Files.writeString(folder.resolve("multiplexer.zip"), "stands in for the package");
    var apiZip = Files.writeString(folder.resolve("api.zip"), "stands in for the API's package");
    var image = Files.createDirectories(folder.resolve("image"));
    Files.writeString(image.resolve("Dockerfile"), "FROM scratch\n");
    return new Inputs(
        stage,
        "eu-central-1",
        "6h",
        stage.countsConcurrency(),
        zip,
        kind,
        kind == ApiKind.FUNCTION ? apiZip : ABSENT,
        kind == ApiKind.FUNCTION ? ABSENT : image,
        Optional.empty(),
        Optional.of(MAIL_FROM).filter(_ -> stage == Stage.PROD).map(MailSender::new),
        BrowserApps.of(""),
        CursorRotation.NONE,
        Optional.empty());
  }
}
