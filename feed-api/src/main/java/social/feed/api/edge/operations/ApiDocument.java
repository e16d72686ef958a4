package social.feed.api.edge.operations;

import io.micronaut.core.type.Argument;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.micronaut.web.router.Router;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import social.feed.api.edge.paging.PageOf;
import social.feed.table.access.AccessPattern;

/** Serves the OpenAPI document: the compiler's, completed once at the first request. */
@Hidden
@Controller("/openapi.yml")
@Secured(SecurityRule.IS_ANONYMOUS)
final class ApiDocument {
  private static final String RESOURCE = "/META-INF/swagger/openapi.yml";

  private final String text;

  ApiDocument(Router router) throws IOException {
    this.text = CompletedDocument.of(generated(), patterns(router));
  }

  /** Returns the access patterns of the routes with pages, by e.g. {@code get /v1/feed}. */
  private static Map<String, AccessPattern> patterns(Router router) {
    Map<String, AccessPattern> patterns = new HashMap<>();
    router
        .uriRoutes()
        .forEach(
            route -> {
              String method = route.getHttpMethodName().toLowerCase(Locale.ROOT);
              String path = route.getUriMatchTemplate().toPathString();
              for (Argument<?> argument : route.getTargetMethod().getArguments()) {
                argument
                    .getAnnotationMetadata()
                    .enumValue(PageOf.class, AccessPattern.class)
                    .ifPresent(pattern -> patterns.put(method + " " + path, pattern));
              }
            });
    return patterns;
  }

  /** Returns the document as the compiler generates it from the annotations. */
  static String generated() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ApiDocument.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Get
  @Produces("application/yaml")
  String text() {
    return text;
  }
}
