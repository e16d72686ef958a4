package social.feed.benchmarks;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the calls of {@link BareRoutes} in its process, by the same client: the bare routes without
 * server, router and connection.
 */
@Controller
@Requires(env = BareApi.ENVIRONMENT)
@ExecuteOn(TaskExecutors.BLOCKING)
final class BareLoop {
  private static final int FIRST_ERROR = 400;

  private final BareRoutes routes;

  BareLoop(BareRoutes routes) {
    this.routes = routes;
  }

  /**
   * Makes the calls of requests until the time is over or there are no more. Returns of how many.
   *
   * @param requests a line for each: method, path and viewer
   */
  @Post("/loop")
  @Consumes(MediaType.TEXT_PLAIN)
  String loop(@QueryValue long millis, @QueryValue int atOnce, @Body String requests)
      throws Exception {
    var lines = requests.split("\n", -1);
    var next = new AtomicInteger();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    Callable<Integer> caller =
        () -> {
          int made = 0;
          while (System.nanoTime() < end) {
            int i = next.getAndIncrement();
            if (i >= lines.length) {
              break;
            }
            make(lines[i]);
            made++;
          }
          return made;
        };
    int made = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var one : threads.invokeAll(Collections.nCopies(atOnce, caller))) {
        made += one.get();
      }
    }
    return Integer.toString(made);
  }

  private void make(String line) {
    var words = line.split(" ", -1);
    var path = words[1].split("[/?]", -1);
    var viewer = words[2];
    HttpResponse<byte[]> response =
        switch (words[0] + " " + path[2]) {
          case "GET users" -> routes.profile(viewer, path[3]);
          case "GET posts" -> routes.post(viewer, path[3]);
          case "GET feed" -> routes.home(viewer, limit(path[3]));
          case "GET notifications" -> routes.notifications(viewer, limit(path[3]));
          case "POST users" -> routes.follow(viewer, path[3]);
          case "POST posts" ->
              path.length == 3
                  ? routes.create(viewer, Map.of("text", RouteWorld.TEXT))
                  : routes.like(viewer, path[3]);
          default -> throw new IllegalArgumentException(line);
        };
    if (response.code() >= FIRST_ERROR) {
      throw new IllegalStateException(line + ": " + response.code());
    }
  }

  private static int limit(String parameter) {
    return Integer.parseInt(parameter.substring("limit=".length()));
  }
}
