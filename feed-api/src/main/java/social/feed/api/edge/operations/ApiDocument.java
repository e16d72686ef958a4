package social.feed.api.edge.operations;

import io.micronaut.core.annotation.AnnotationValue;
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

/** Serves the OpenAPI document: the compiler's, completed once at the first request. */
@Hidden
@Controller("/openapi.yml")
@Secured(SecurityRule.IS_ANONYMOUS)
final class ApiDocument {
  private static final String RESOURCE = "/META-INF/swagger/openapi.yml";

  private final String text;

  ApiDocument(Router router) throws IOException {
    this.text = CompletedDocument.of(generated(), lists(router));
  }

  /** Returns the lists of the routes, by e.g. {@code get /v1/feed}. */
  private static Map<String, AnnotationValue<PageOf>> lists(Router router) {
    Map<String, AnnotationValue<PageOf>> lists = new HashMap<>();
    router
        .uriRoutes()
        .forEach(
            route -> {
              String method = route.getHttpMethodName().toLowerCase(Locale.ROOT);
              String path = route.getUriMatchTemplate().toPathString();
              for (Argument<?> argument : route.getTargetMethod().getArguments()) {
                argument
                    .getAnnotationMetadata()
                    .findAnnotation(PageOf.class)
                    .ifPresent(list -> lists.put(method + " " + path, list));
              }
            });
    return lists;
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
