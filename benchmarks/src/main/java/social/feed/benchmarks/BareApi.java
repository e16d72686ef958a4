package social.feed.benchmarks;

import io.micronaut.runtime.Micronaut;

/** Starts a server that has {@link BareRoutes} only: the API to compare with. */
final class BareApi {
  private BareApi() {}

  public static void main(String[] arguments) {
    Micronaut.build(arguments).mainClass(BareApi.class).banner(false).start();
  }
}
