package social.feed.benchmarks;

import io.micronaut.runtime.Micronaut;

/** Starts a server that has {@link BareRoutes} only: the API to compare with. */
final class BareApi {
  /** The environment of this server. Another server in this package must not have its routes. */
  static final String ENVIRONMENT = "bare";

  private BareApi() {}

  public static void main(String[] arguments) {
    Micronaut.build(arguments)
        .mainClass(BareApi.class)
        .environments(ENVIRONMENT)
        .banner(false)
        .start();
  }
}
