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
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the calls of {@link BareRoutes} in its process, by the same client: the bare routes without
 * server, router and connection.
 */
@Controller
@Requires(env = BareApi.ENVIRONMENT)
@ExecuteOn(TaskExecutors.BLOCKING)
final class BareLoop {
  private static final int FIRST_ERROR = 400;
  private static final double P99 = 0.99;

  private final BareRoutes routes;

  BareLoop(BareRoutes routes) {
    this.routes = routes;
  }

  /**
   * Makes the calls of requests until the {@code millis} are over or there are no more, and returns
   * of how many. Or makes them all at the random times of {@code seed}, at {@code rate} a second,
   * and returns the 99th percentile in milliseconds since the time when each was due.
   *
   * @param atOnce the most requests at the same time. Those of the same viewer would conflict.
   * @param requests a line for each: method, path and viewer
   */
  @Post("/loop")
  @Consumes(MediaType.TEXT_PLAIN)
  String loop(
      @QueryValue int atOnce,
      @QueryValue Optional<Long> millis,
      @QueryValue Optional<Double> rate,
      @QueryValue Optional<Long> seed,
      @Body String requests)
      throws Exception {
    var lines = requests.split("\n", -1);
    return rate.isPresent()
        ? Double.toString(open(lines, atOnce, rate.get(), seed.orElse(0L)))
        : Integer.toString(closed(lines, atOnce, millis.orElseThrow()));
  }

  private int closed(String[] lines, int atOnce, long millis) throws Exception {
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
    return made;
  }

  private double open(String[] lines, int atOnce, double rate, long seed) throws Exception {
    var random = new Random(seed);
    var free = new Semaphore(atOnce);
    var running = new ArrayList<Future<Long>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long due = System.nanoTime();
      for (var line : lines) {
        due += Math.round(-Math.log(1 - random.nextDouble()) / rate * 1e9);
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
          LockSupport.parkNanos(wait);
        }
        long from = due;
        free.acquire();
        running.add(
            threads.submit(
                () -> {
                  try {
                    make(line);
                    return System.nanoTime() - from;
                  } finally {
                    free.release();
                  }
                }));
      }
    }
    var nanos = new ArrayList<Long>();
    for (var one : running) {
      nanos.add(one.get());
    }
    Collections.sort(nanos);
    return nanos.get((int) Math.ceil(P99 * nanos.size()) - 1) / 1e6;
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
