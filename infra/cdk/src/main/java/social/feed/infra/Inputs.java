package social.feed.infra;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import software.constructs.Node;

/**
 * The inputs of a deployment, as context of the CDK ({@code -c stage=prod}).
 *
 * @param stage {@code stage}, {@code dev} unless said
 * @param region {@code region}, {@code eu-central-1} unless said
 * @param trendHalfLife {@code trendHalfLife}, {@code 6h} unless said: in which a use of a tag loses
 *     half its worth; the API and the multiplexer have to agree on it
 * @param functionZip {@code functionZip}: the package of the multiplexer
 * @param imageDirectory {@code imageDirectory}: a folder with a Dockerfile and what it copies
 * @param otherTable {@code tableName} and {@code streamLabel}: a table that no stack has made, in
 *     the place of the one that the data stack makes unless they are said
 */
record Inputs(
    Stage stage,
    String region,
    String trendHalfLife,
    Path functionZip,
    Path imageDirectory,
    Optional<ExistingTable> otherTable) {
  static final String TABLE_NAME = "tableName";
  static final String STREAM_LABEL = "streamLabel";

  private static final String FUNCTION_ZIP = "functionZip";
  private static final String IMAGE_DIRECTORY = "imageDirectory";

  /**
   * @throws MissingInputException naming what is missing and how to give it
   */
  Inputs {
    if (!Files.isRegularFile(functionZip)) {
      throw new MissingInputException(
          "%s names the package of the multiplexer; there is no file %s"
              .formatted(FUNCTION_ZIP, functionZip.toAbsolutePath()));
    }
    if (!Files.isRegularFile(imageDirectory.resolve("Dockerfile"))) {
      throw new MissingInputException(
          "%s names a folder with the Dockerfile of the API; there is none in %s"
              .formatted(IMAGE_DIRECTORY, imageDirectory.toAbsolutePath()));
    }
  }

  /** From the context of an app. */
  static Inputs of(Node app) {
    return new Inputs(
        Stage.named(said(app, "stage", "dev")),
        said(app, "region", "eu-central-1"),
        said(app, "trendHalfLife", "6h"),
        path(app, FUNCTION_ZIP),
        path(app, IMAGE_DIRECTORY),
        otherTable(said(app, TABLE_NAME, ""), said(app, STREAM_LABEL, "")));
  }

  private static Optional<ExistingTable> otherTable(String name, String streamLabel) {
    return name.isEmpty() && streamLabel.isEmpty()
        ? Optional.empty()
        : Optional.of(new ExistingTable(name, streamLabel));
  }

  private static String said(Node app, String name, String otherwise) {
    return app.tryGetContext(name) instanceof String text && !text.isBlank() ? text : otherwise;
  }

  private static Path path(Node app, String name) {
    var path = said(app, name, "");
    if (path.isEmpty()) {
      throw new MissingInputException("Say where it is: -c %s=PATH".formatted(name));
    }
    return Path.of(path);
  }
}
