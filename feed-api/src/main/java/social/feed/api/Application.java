package social.feed.api;

import io.micronaut.openapi.annotation.OpenAPIExtraSchema;
import io.micronaut.runtime.Micronaut;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.info.License;
import io.swagger.v3.oas.annotations.security.SecurityScheme;
import io.swagger.v3.oas.annotations.servers.Server;
import java.util.Map;
import social.feed.api.edge.problem.Problem;

/** Starts the server on its own, with the DynamoDB endpoint from the configuration. */
@OpenAPIDefinition(
    info =
        @Info(
            title = "Feed",
            version = "1",
            description =
                "A social feed. Errors are `application/problem+json` with a stable `code`.",
            license =
                @License(name = "Apache 2.0", url = "https://www.apache.org/licenses/LICENSE-2.0")),
    servers = @Server(url = "/", description = "The server of this document"))
@OpenAPIExtraSchema(classes = Problem.class)
@SecurityScheme(
    name = "bearer",
    type = SecuritySchemeType.HTTP,
    scheme = "bearer",
    bearerFormat = "JWT")
public final class Application {
  /** Longer than the slowest request may take, shorter than the time until a task is killed. */
  private static final String GRACE_PERIOD = "20s";

  private Application() {}

  /**
   * Runs until the process is stopped. On a termination signal the server accepts no more requests
   * and completes those in progress.
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
                GRACE_PERIOD))
        .start();
  }
}
