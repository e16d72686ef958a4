package social.feed.api.edge.operations;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Serves the OpenAPI document: the compiler's, completed once at the first request. */
@Hidden
@Controller("/openapi.yml")
@Secured(SecurityRule.IS_ANONYMOUS)
final class ApiDocument {
  private static final String RESOURCE = "/META-INF/swagger/openapi.yml";

  private final String text;

  ApiDocument() throws IOException {
    this.text = CompletedDocument.of(generated());
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
