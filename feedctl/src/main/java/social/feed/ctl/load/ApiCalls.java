package social.feed.ctl.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.UnitRateLimiter;

/** Calls of the API by accounts with their tokens. Follows no redirects. Thread-safe. */
public final class ApiCalls implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The longest wait for one request in all, while the platform asks for pauses. */
  private static final Duration PATIENCE_IN_ALL = Duration.ofMinutes(2);

  /** The shortest wait before a request is sent again. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final int FIRST_ERROR = 400;
  private static final int TOO_MANY = 429;
  private static final int BUSY = 503;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
  private static final Pattern TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");
  private static final Pattern PROBLEM = Pattern.compile("\"code\":\"([a-z_]+)\"");
  private static final Pattern CURSOR = Pattern.compile("\"next_cursor\":\"([^\"]+)\"");

  private final List<URI> apis;
  private final AtomicInteger turn = new AtomicInteger();
  private final Map<String, String> tokens;
  private final boolean issuesTokens;
  private volatile @Nullable UnitRateLimiter pace;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /**
   * @param tokens the tokens by account; if it is empty, the platform issues tokens for development
   */
  public ApiCalls(URI api, Map<String, String> tokens) {
    this(List.of(api), tokens);
  }

  /**
   * @param apis the processes of one API, which get the requests in turn
   * @param tokens the tokens by account; if it is empty, the platform issues tokens for development
   */
  public ApiCalls(List<URI> apis, Map<String, String> tokens) {
    if (apis.isEmpty()) {
      throw new IllegalArgumentException("There is no API to call");
    }
    this.apis = List.copyOf(apis);
    this.tokens = new ConcurrentHashMap<>(tokens);
    this.issuesTokens = tokens.isEmpty();
  }

  /**
   * An answer with the units that it reports; none where it reports none.
   *
   * @param retryAfter how long a refused caller should wait, where the answer says it in seconds
   */
  public record Answer(
      int status, String body, ConsumedUnits units, Optional<Duration> retryAfter) {
    /** Returns whether the request was not refused. */
    public boolean isOk() {
      return status < FIRST_ERROR;
    }

    /**
     * Returns how long to wait before the request is sent again: as long as a refusal asks for, and
     * at least some time. Empty where it was not refused, or would be again.
     */
    Optional<Duration> pause(Duration least) {
      if (status != TOO_MANY && status != BUSY) {
        return Optional.empty();
      }
      return retryAfter.filter(asked -> asked.compareTo(least) > 0).or(() -> Optional.of(least));
    }

    /** Returns the status, with the code of the problem if there is one. */
    public String code() {
      return isOk()
          ? Integer.toString(status)
          : found(PROBLEM).map(code -> status + " " + code).orElse(Integer.toString(status));
    }

    /** Returns the id of the created resource. */
    public String id() {
      return tree().path("id").asText();
    }

    /** Returns the ids of the items on a page, in its order. */
    public List<String> ids() {
      var ids = new ArrayList<String>();
      tree().path("items").forEach(item -> ids.add(item.path("id").asText()));
      return ids;
    }

    Optional<String> cursor() {
      return found(CURSOR);
    }

    /** Returns the body. */
    public JsonNode tree() {
      try {
        return JSON.readTree(body);
      } catch (JsonProcessingException e) {
        throw new UncheckedIOException("The answer is no JSON: " + body, e);
      }
    }

    private Optional<String> found(Pattern pattern) {
      var matcher = pattern.matcher(body);
      return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
  }

  /** Sends the next requests at an average rate at most. */
  void pace(double perSecond) {
    pace = new UnitRateLimiter(perSecond);
  }

  /** Sends the next requests at once. */
  void sendAtOnce() {
    pace = null;
  }

  /** Each caller waits for its own turn, as it is charged before. */
  private void awaitTurn() {
    var limit = pace;
    if (limit != null) {
      limit.spend(1);
      limit.await();
    }
  }

  /** Returns the process of the API whose turn it is. */
  private URI next() {
    return apis.get(Math.floorMod(turn.getAndIncrement(), apis.size()));
  }

  /**
   * Gets a token for an account, if it has none.
   *
   * @throws IllegalStateException if the platform issues none
   */
  public void signIn(String account) throws IOException, InterruptedException {
    if (tokens.containsKey(account)) {
      return;
    }
    if (!issuesTokens) {
      throw new IllegalStateException("There is no token of the account " + account);
    }
    awaitTurn();
    var api = next();
    var request =
        HttpRequest.newBuilder(api.resolve("/v1/dev/tokens"))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"user_id\":\"" + account + "\"}"));
    var answer = answer(http.send(request.build(), BodyHandlers.ofString()));
    tokens.put(
        account,
        answer
            .found(TOKEN)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "The server at "
                            + api
                            + " issues no tokens for development: HTTP "
                            + answer.status
                            + ". Name a file with tokens with --tokens.")));
  }

  /** A request that can be repeated. */
  public interface Request {
    Answer send() throws IOException, InterruptedException;
  }

  /**
   * Sends a request again while its caller sends too much (429) or the platform has too much to do
   * (503), each time after the pause that it asks for. Returns the refusal where that would take
   * more than two minutes in all.
   */
  public static Answer patiently(Request request) throws IOException, InterruptedException {
    long began = System.nanoTime();
    while (true) {
      var answer = request.send();
      var pause = answer.pause(PAUSE);
      if (pause.isEmpty()
          || pause.get().plusNanos(System.nanoTime() - began).compareTo(PATIENCE_IN_ALL) > 0) {
        return answer;
      }
      Thread.sleep(pause.get());
    }
  }

  /** Sends a request without a body. */
  public Answer send(String account, String method, String path)
      throws IOException, InterruptedException {
    return send(account, method, path, "");
  }

  /** Sends a request with a body of JSON, or with none if it is empty. */
  public Answer send(String account, String method, String path, String body)
      throws IOException, InterruptedException {
    return send(account, method, path, body, Map.of());
  }

  /** Sends a request like {@link #send(String, String, String, String)}, with further headers. */
  public Answer send(
      String account, String method, String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    awaitTurn();
    var request =
        HttpRequest.newBuilder(next().resolve(path))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + tokens.getOrDefault(account, ""))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    headers.forEach(request::header);
    return answer(http.send(request.build(), BodyHandlers.ofString()));
  }

  /**
   * Sends the bytes of an announced upload, without a token and without holding them in memory.
   *
   * @param address absolute, or relative to the API
   */
  public Answer upload(String address, Map<String, String> headers, Path file)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(next().resolve(address))
            .timeout(PATIENCE)
            .PUT(BodyPublishers.ofFile(file));
    headers.forEach(request::header);
    return answer(http.send(request.build(), BodyHandlers.ofString()));
  }

  private static Answer answer(HttpResponse<String> response) {
    var units =
        new ConsumedUnits(
            units(response, "X-Consumed-Read-Units"), units(response, "X-Consumed-Write-Units"));
    var retryAfter =
        response
            .headers()
            .firstValue("Retry-After")
            .filter(text -> SECONDS.matcher(text).matches())
            .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    return new Answer(response.statusCode(), response.body(), units, retryAfter);
  }

  private static double units(HttpResponse<String> response, String header) {
    return response.headers().firstValue(header).map(Double::parseDouble).orElse(0.0);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
