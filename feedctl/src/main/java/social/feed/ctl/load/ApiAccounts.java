package social.feed.ctl.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import social.feed.ctl.graph.ImportProgress;
import social.feed.table.kernel.store.ParallelCalls;

/**
 * Creates the accounts, edges and posts of a graph through the API, as clients do. What exists
 * already stays as it is, so an interrupted run can be repeated. An account that sends too much
 * waits as long as the platform asks for.
 */
final class ApiAccounts {
  private static final int AT_ONCE = 16;
  private static final int CHUNK = 1_000;
  private static final String REGISTERED = "409 already_registered";
  private static final Pattern FITS_HANDLE = Pattern.compile("[a-z0-9_]{1,25}");

  private final ApiCalls api;
  private final SocialGraph graph;
  private final ImportProgress progress;

  ApiAccounts(ApiCalls api, SocialGraph graph, ImportProgress progress) {
    this.api = api;
    this.graph = graph;
    this.progress = progress;
  }

  /** Something that is sent, and fails as HTTP does. */
  interface Call {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Returns the handle of an account. An id that does not fit gives its hash, as does one in upper
   * case: handles differ by more than case.
   */
  static String handle(String id) {
    return "load_"
        + (FITS_HANDLE.matcher(id).matches()
            ? id
            : UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "")
                .substring(0, 16));
  }

  /**
   * Creates what is missing.
   *
   * @param posts the number of posts of each account, at most a page; one that has as many already
   *     gets no more
   * @throws IllegalStateException with the first answer that is an error, or that asks for a wait
   *     of more than two minutes
   */
  void create(int posts) {
    each(
        "accounts",
        graph.size(),
        i ->
            () -> {
              var id = graph.id(i);
              api.signIn(id);
              refuse(register(api, id, "Load"));
            });
    each(
        "follows",
        graph.size(),
        i ->
            () -> {
              for (int followee : graph.following(i)) {
                var path = "/v1/users/" + graph.id(followee) + "/follow";
                var _ = require(() -> api.send(graph.id(i), "POST", path));
              }
            });
    var written = new AtomicIntegerArray(graph.size());
    each(
        "find posts",
        graph.size(),
        i ->
            () -> {
              var id = graph.id(i);
              var path = "/v1/users/%s/posts?limit=%d".formatted(id, posts);
              written.set(i, shown(require(() -> api.send(id, "GET", path))));
            });
    // In rounds, so that an account that must wait for its next post delays few others.
    for (int post = 0; post < posts; post++) {
      int number = post + 1;
      var key = Map.of("Idempotency-Key", "load-" + post);
      each(
          progress,
          "posts %d of %d".formatted(number, posts),
          IntStream.range(0, graph.size()).filter(i -> written.get(i) < number).boxed().toList(),
          i ->
              () -> {
                var text = "{\"text\":\"Post %d of %s #load\"}".formatted(number, graph.id(i));
                var _ = require(() -> api.send(graph.id(i), "POST", "/v1/posts", text, key));
              });
    }
  }

  /** Returns how many posts of a page of their author are for all. */
  private static int shown(ApiCalls.Answer page) {
    return (int)
        page.tree()
            .path("items")
            .valueStream()
            .filter(post -> post.path("visibility").asText().equals("public"))
            .count();
  }

  /**
   * Registers an account. One that has a profile keeps it, whatever its handle is.
   *
   * @return the last answer, if it is another error
   */
  static Optional<ApiCalls.Answer> register(ApiCalls api, String id, String name)
      throws IOException, InterruptedException {
    var profile = "{\"handle\":\"%s\",\"display_name\":\"%s\"}".formatted(handle(id), name);
    var answer = ApiCalls.patiently(() -> api.send(id, "POST", "/v1/users", profile));
    return answer.isOk() || answer.code().equals(REGISTERED)
        ? Optional.empty()
        : Optional.of(answer);
  }

  private static ApiCalls.Answer require(ApiCalls.Request request)
      throws IOException, InterruptedException {
    var answer = ApiCalls.patiently(request);
    refuse(Optional.of(answer).filter(it -> !it.isOk()));
    return answer;
  }

  private static void refuse(Optional<ApiCalls.Answer> error) {
    error.ifPresent(
        answer -> {
          throw new IllegalStateException(
              "The graph cannot be created: HTTP %s %s".formatted(answer.code(), answer.body()));
        });
  }

  private void each(String what, int count, IntFunction<Call> calls) {
    each(progress, what, IntStream.range(0, count).boxed().toList(), calls::apply);
  }

  /** Runs a call for each of some values, a few at a time. */
  static <T> void each(
      ImportProgress progress, String what, List<T> values, Function<T, Call> calls) {
    try (var step = progress.step(what, values.size())) {
      for (int from = 0; from < values.size(); from += CHUNK) {
        var chunk = values.subList(from, Math.min(from + CHUNK, values.size()));
        ParallelCalls.map(
            chunk,
            AT_ONCE,
            value -> {
              run(calls.apply(value));
              step.advance(1);
              return value;
            });
      }
    }
  }

  private static void run(Call call) {
    try {
      call.run();
    } catch (IOException e) {
      throw new IllegalStateException("The platform does not answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
