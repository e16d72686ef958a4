package social.feed.infra;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The inputs of the API.
 *
 * @param kind {@code api}: whether it runs as a {@code function} or a {@code service}; {@code
 *     cdk.json} has the default of each stage
 * @param functionZip {@code apiFunctionZip}: path of its package, for a function
 * @param imageDirectory {@code imageDirectory}: a folder with a Dockerfile and the files that it
 *     copies, for a service
 * @param image {@code image}: an image in a registry in place of the folder, by its digest
 * @param apps {@code corsOrigins}: the origins of browser apps that may call it
 * @param cursorRotation {@code cursorRotation}, {@code none} by default: a step in which the secret
 *     of cursors is replaced
 * @param cache {@code cache}: the address of a cache that the tasks share; none by default
 * @param gateway {@code gatewayRequests}: the requests a second that the gateway passes to the
 *     tasks; by default those of an account
 */
record ApiInputs(
    ApiKind kind,
    Path functionZip,
    Path imageDirectory,
    Optional<PublishedImage> image,
    BrowserApps apps,
    CursorRotation cursorRotation,
    Optional<CacheAddress> cache,
    Optional<GatewayRate> gateway) {
  static final String API = "api";
  static final String FUNCTION_ZIP = "apiFunctionZip";
  static final String IMAGE_DIRECTORY = "imageDirectory";
  static final String IMAGE = "image";
  static final String CORS_ORIGINS = "corsOrigins";
  static final String CURSOR_ROTATION = "cursorRotation";

  /**
   * @throws MissingInputException with the missing input and how to give it
   */
  ApiInputs {
    if (kind == ApiKind.FUNCTION && !Files.isRegularFile(functionZip)) {
      throw new MissingInputException(
          "%s must be the path of the API's package. There is no file %s"
              .formatted(FUNCTION_ZIP, functionZip.toAbsolutePath()));
    }
    if (kind == ApiKind.FUNCTION && image.isPresent()) {
      throw new MissingInputException(
          "%s is for %s=%s, and the API runs as a %s"
              .formatted(IMAGE, API, ApiKind.SERVICE.label(), kind.label()));
    }
    if (kind == ApiKind.SERVICE
        && image.isEmpty()
        && !Files.isRegularFile(imageDirectory.resolve("Dockerfile"))) {
      throw new MissingInputException(
          "%s must be a folder with the Dockerfile of the API. There is none in %s"
              .formatted(IMAGE_DIRECTORY, imageDirectory.toAbsolutePath()));
    }
    cache.ifPresent(address -> address.require(kind));
    gateway.ifPresent(rate -> rate.require(kind));
  }

  /** Returns the inputs in the context of an app. */
  static ApiInputs of(InputContext context) {
    return new ApiInputs(
        ApiKind.named(context.value(API, "")),
        Path.of(context.value(FUNCTION_ZIP, "")),
        context.path(IMAGE_DIRECTORY),
        context.optional(IMAGE).map(PublishedImage::new),
        BrowserApps.of(context.value(CORS_ORIGINS, "")),
        CursorRotation.named(context.value(CURSOR_ROTATION, "none")),
        context.optional(CacheAddress.CACHE).map(CacheAddress::new),
        context.optional(GatewayRate.GATEWAY_REQUESTS).map(GatewayRate::of));
  }
}
