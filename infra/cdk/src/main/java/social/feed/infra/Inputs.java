package social.feed.infra;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import software.constructs.Node;

/**
 * The inputs of a deployment, as context of the CDK ({@code -c stage=prod}).
 *
 * @param stage {@code stage}, {@code dev} by default
 * @param region {@code region}, {@code eu-central-1} by default
 * @param trendHalfLife {@code trendHalfLife}, {@code 6h} by default: the time in which a use of a
 *     tag loses half its weight; the API and the multiplexer must have the same value
 * @param countsConcurrency {@code countsConcurrency}: the concurrency that is reserved for the
 *     counts lane, none where it is 0; the stage's by default
 * @param functionZip {@code functionZip}: path of the multiplexer's package
 * @param imageDirectory {@code imageDirectory}: a folder with a Dockerfile and the files that it
 *     copies
 * @param otherTable {@code tableName} and {@code streamLabel}: a table that no stack has created,
 *     in place of the one that the data stack creates by default
 */
record Inputs(
    Stage stage,
    String region,
    String trendHalfLife,
    int countsConcurrency,
    Path functionZip,
    Path imageDirectory,
    Optional<ExistingTable> otherTable) {
  static final String TABLE_NAME = "tableName";
  static final String STREAM_LABEL = "streamLabel";

  private static final String COUNTS_CONCURRENCY = "countsConcurrency";
  private static final String FUNCTION_ZIP = "functionZip";
  private static final String IMAGE_DIRECTORY = "imageDirectory";

  /**
   * @throws MissingInputException with the missing input and how to give it
   */
  Inputs {
    if (!Files.isRegularFile(functionZip)) {
      throw new MissingInputException(
          "%s must be the path of the multiplexer's package. There is no file %s"
              .formatted(FUNCTION_ZIP, functionZip.toAbsolutePath()));
    }
    if (!Files.isRegularFile(imageDirectory.resolve("Dockerfile"))) {
      throw new MissingInputException(
          "%s must be a folder with the Dockerfile of the API. There is none in %s"
              .formatted(IMAGE_DIRECTORY, imageDirectory.toAbsolutePath()));
    }
  }

  /** Returns the inputs in the context of an app. */
  static Inputs of(Node app) {
    var stage = Stage.named(value(app, "stage", "dev"));
    return new Inputs(
        stage,
        value(app, "region", "eu-central-1"),
        value(app, "trendHalfLife", "6h"),
        number(app, COUNTS_CONCURRENCY, stage.countsConcurrency()),
        path(app, FUNCTION_ZIP),
        path(app, IMAGE_DIRECTORY),
        otherTable(value(app, TABLE_NAME, ""), value(app, STREAM_LABEL, "")));
  }

  private static Optional<ExistingTable> otherTable(String name, String streamLabel) {
    return name.isEmpty() && streamLabel.isEmpty()
        ? Optional.empty()
        : Optional.of(new ExistingTable(name, streamLabel));
  }

  private static String value(Node app, String name, String fallback) {
    return app.tryGetContext(name) instanceof String text && !text.isBlank() ? text : fallback;
  }

  private static int number(Node app, String name, int fallback) {
    var text = value(app, name, Integer.toString(fallback));
    if (!text.matches("\\d{1,5}")) {
      throw new MissingInputException("%s must be a whole number, not %s".formatted(name, text));
    }
    return Integer.parseInt(text);
  }

  private static Path path(Node app, String name) {
    var path = value(app, name, "");
    if (path.isEmpty()) {
      throw new MissingInputException("Give the path: -c %s=PATH".formatted(name));
    }
    return Path.of(path);
  }
}
