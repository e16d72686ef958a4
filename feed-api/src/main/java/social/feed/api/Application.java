package social.feed.api;

import io.micronaut.runtime.Micronaut;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.security.SecurityScheme;
import java.util.Map;

/** Starts the server alone, against the DynamoDB that the configuration names. */
@OpenAPIDefinition(
    info =
        @Info(
            title = "Feed",
            version = "1",
            description =
                "A social feed. Errors are `application/problem+json` with a stable `code`."))
@SecurityScheme(
    name = "bearer",
    type = SecuritySchemeType.HTTP,
    scheme = "bearer",
    bearerFormat = "JWT")
public final class Application {
  /** Longer than the slowest request may take, shorter than a task has until it is killed. */
  private static final String UNTIL_ANSWERED = "20s";

  private Application() {}

  /**
   * Runs until the process is stopped. On a signal to end it takes no more requests, and answers
   * those that it has.
   *
   * @param args Micronaut's own arguments, e.g. {@code -micronaut.server.port=8080}
   */
  public static void main(String[] args) {
    Micronaut.build(args)
        .mainClass(Application.class)
        .banner(false)
        .properties(
            Map.of(
                "micronaut.lifecycle.graceful-shutdown.enabled",
                "true",
                "micronaut.lifecycle.graceful-shutdown.grace-period",
                UNTIL_ANSWERED))
        .start();
  }
}
