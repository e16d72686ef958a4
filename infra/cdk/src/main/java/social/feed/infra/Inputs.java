package social.feed.infra;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
 * @param api {@code api}: whether the API runs as a {@code function} or a {@code service}; {@code
 *     cdk.json} has the default of each stage
 * @param apiFunctionZip {@code apiFunctionZip}: path of the API's package, for a function
 * @param imageDirectory {@code imageDirectory}: a folder with a Dockerfile and the files that it
 *     copies
 * @param image {@code image}: an image in a registry in place of the folder, by its digest
 * @param mailSender {@code mailFrom}: the sender of the members' e-mails. {@code prod} needs one
 * @param apps {@code corsOrigins}: the origins of browser apps that may call the API
 * @param cursorRotation {@code cursorRotation}, {@code none} by default: a step in which the secret
 *     of cursors is replaced
 * @param otherTable {@code tableName} and {@code streamLabel}: a table that no stack has created,
 *     in place of the one that the data stack creates by default
 * @param traces {@code tracing}, off by default, and {@code collector}: the share of requests with
 *     a trace, and where spans are sent
 * @param cache {@code cache}: the address of a cache that the tasks share; none by default
 * @param media {@code media}, {@code none} by default: where the bytes of images are
 * @param repair {@code repair}, {@code false} by default: whether the release goes on while
 *     responses fail, which the version before it may cause
 */
record Inputs(
    Stage stage,
    String region,
    String trendHalfLife,
    int countsConcurrency,
    Path functionZip,
    ApiKind api,
    Path apiFunctionZip,
    Path imageDirectory,
    Optional<PublishedImage> image,
    Optional<MailSender> mailSender,
    BrowserApps apps,
    CursorRotation cursorRotation,
    Optional<ExistingTable> otherTable,
    TraceInputs traces,
    Optional<CacheAddress> cache,
    MediaKind media,
    boolean repair) {
  static final String STAGE = "stage";
  static final String API = "api";
  static final String IMAGE = "image";
  static final String MAIL_FROM = "mailFrom";
  static final String CORS_ORIGINS = "corsOrigins";
  static final String CURSOR_ROTATION = "cursorRotation";
  static final String TABLE_NAME = "tableName";
  static final String STREAM_LABEL = "streamLabel";
  static final String REPAIR = "repair";
  static final String FUNCTION_ZIP = "functionZip";
  static final String API_FUNCTION_ZIP = "apiFunctionZip";
  static final String IMAGE_DIRECTORY = "imageDirectory";

  private static final String COUNTS_CONCURRENCY = "countsConcurrency";

  /**
   * @throws MissingInputException with the missing input and how to give it
   */
  Inputs {
    if (!Files.isRegularFile(functionZip)) {
      throw new MissingInputException(
          "%s must be the path of the multiplexer's package. There is no file %s"
              .formatted(FUNCTION_ZIP, functionZip.toAbsolutePath()));
    }
    if (api == ApiKind.FUNCTION && !Files.isRegularFile(apiFunctionZip)) {
      throw new MissingInputException(
          "%s must be the path of the API's package. There is no file %s"
              .formatted(API_FUNCTION_ZIP, apiFunctionZip.toAbsolutePath()));
    }
    if (api == ApiKind.FUNCTION && image.isPresent()) {
      throw new MissingInputException(
          "%s is for %s=%s, and the API runs as a %s"
              .formatted(IMAGE, API, ApiKind.SERVICE.label(), api.label()));
    }
    if (api == ApiKind.SERVICE
        && image.isEmpty()
        && !Files.isRegularFile(imageDirectory.resolve("Dockerfile"))) {
      throw new MissingInputException(
          "%s must be a folder with the Dockerfile of the API. There is none in %s"
              .formatted(IMAGE_DIRECTORY, imageDirectory.toAbsolutePath()));
    }
    traces.require(api);
    cache.ifPresent(address -> address.require(api));
    if (mailSender.isEmpty() && stage.needsMailSender()) {
      throw new MissingInputException(
          ("Give the sender of the members' e-mails: -c %s=no-reply@YOUR.DOMAIN. The domain must be"
                  + " a verified identity of SES in %s, in an account that has left SES's sandbox."
                  + " Without a sender Cognito sends some 50 e-mails a day, and no one else can"
                  + " sign up.")
              .formatted(MAIL_FROM, region));
    }
  }

  /** Returns the inputs in the context of an app. */
  static Inputs of(Node app) {
    var stage = Stage.named(value(app, STAGE, "dev"));
    return new Inputs(
        stage,
        value(app, "region", "eu-central-1"),
        value(app, "trendHalfLife", "6h"),
        number(app, COUNTS_CONCURRENCY, stage.countsConcurrency()),
        path(app, FUNCTION_ZIP),
        ApiKind.named(api(app, stage)),
        Path.of(value(app, API_FUNCTION_ZIP, "")),
        path(app, IMAGE_DIRECTORY),
        optional(app, IMAGE).map(PublishedImage::new),
        optional(app, MAIL_FROM).map(MailSender::new),
        BrowserApps.of(value(app, CORS_ORIGINS, "")),
        CursorRotation.named(value(app, CURSOR_ROTATION, "none")),
        otherTable(value(app, TABLE_NAME, ""), value(app, STREAM_LABEL, "")),
        new TraceInputs(
            value(app, TraceInputs.TRACING, TraceInputs.OFF.ratio()),
            optional(app, TraceInputs.COLLECTOR)),
        optional(app, CacheAddress.CACHE).map(CacheAddress::new),
        MediaKind.named(value(app, MediaKind.MEDIA, MediaKind.NONE.label())),
        flag(app, REPAIR));
  }

  /** Returns the input, or the default of the stage, which the scripts read as well. */
  private static String api(Node app, Stage stage) {
    return app.tryGetContext(API) instanceof Map<?, ?> defaults
        ? String.valueOf(defaults.get(stage.label()))
        : value(app, API, "");
  }

  private static Optional<ExistingTable> otherTable(String name, String streamLabel) {
    return name.isEmpty() && streamLabel.isEmpty()
        ? Optional.empty()
        : Optional.of(new ExistingTable(name, streamLabel));
  }

  private static Optional<String> optional(Node app, String name) {
    return Optional.of(value(app, name, "")).filter(text -> !text.isEmpty());
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

  private static boolean flag(Node app, String name) {
    var text = value(app, name, "false");
    if (!text.matches("true|false")) {
      throw new MissingInputException("%s must be true or false, not %s".formatted(name, text));
    }
    return text.equals("true");
  }

  private static Path path(Node app, String name) {
    var path = value(app, name, "");
    if (path.isEmpty()) {
      throw new MissingInputException("Give the path: -c %s=PATH".formatted(name));
    }
    return Path.of(path);
  }
}
