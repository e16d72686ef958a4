package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Valid and invalid requests mixed at random: the document promises every response. */
@ExtendWith(FeedServerExtension.class)
class ITNonsense {
  private static final int REQUESTS = 3_000;
  private static final String CREATE = "post /v1/posts";
  private static final long SEED = 20_261_121;

  /** After it, the remaining requests would have no account. */
  private static final String END = "delete /v1/users/me";

  private static final List<String> ODD =
      List.of(
          "",
          "x",
          "0",
          "-1",
          "1e9",
          "true",
          "null",
          "a b",
          "a#b",
          "a/b",
          "..",
          "%",
          "\u0000",
          "\n",
          "\ud83d\ude00",
          "\u00e4",
          "'\"<>",
          "x".repeat(300),
          "ffffffff-ffff-7fff-bfff-ffffffffffff",
          "2026-11-20T09:15:00Z",
          "99999999999999999999",
          "followers",
          "by-handle",
          "me");

  private final Random random = new Random(SEED);
  private final FeedServer server;
  private final Person ann;
  private final Post post;
  private final List<Api> callers;

  ITNonsense(FeedServer server, SeedWorld world) {
    this.server = server;
    this.ann = world.user("ann");
    this.post = world.user("bob").posts("x");
    this.callers =
        List.of(
            server.as(ann), server.as("stranger-" + ann.id()), server.anonymous(), server.as(ann));
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private String segment(String name) {
    if (random.nextInt(3) == 0) {
      return any(ODD);
    }
    return name.equals("id") && random.nextBoolean() ? ann.id() : post.postId();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String path(String template) {
    StringBuilder path = new StringBuilder();
    for (String part : template.substring(1).split("/")) {
      boolean variable = part.startsWith("{");
      String text = variable ? encoded(segment(part.substring(1, part.length() - 1))) : part;
      // An empty or relative segment would be another path.
      path.append('/').append(text.isEmpty() || text.equals("..") ? "x" : text);
    }
    String names =
        any(
            List.of(
                "",
                "limit",
                "cursor",
                "unread",
                "keep_history",
                "ids",
                "what",
                "period",
                "by",
                "q",
                "since"));
    return names.isEmpty() ? path.toString() : path + "?" + names + "=" + encoded(any(ODD));
  }

  private String json() {
    String value =
        switch (random.nextInt(6)) {
          case 0 -> "null";
          case 1 -> "17";
          case 2 -> "[{}]";
          case 3 -> "public";
          default -> "\"" + any(ODD).replaceAll("[\\x00-\\x1f\"\\\\]", "") + "\"";
        };
    String name =
        any(
            List.of(
                "text",
                "handle",
                "display_name",
                "bio",
                "visibility",
                "up_to",
                "until",
                "media_ref",
                "user_id"));
    return switch (random.nextInt(8)) {
      case 0 -> "";
      case 1 -> value;
      case 2 -> "{\"" + name + "\":" + value;
      case 3 -> "{\"handle\":" + value + ",\"display_name\":\"A\"}";
      case 4 -> "{\"text\":\"hello\",\"" + name + "\":" + value + "}";
      case 5 -> "{\"text\":\"hello #a @abc\"}";
      default -> "{\"" + name + "\":" + value + "}";
    };
  }

  private Api caller() {
    Api caller = any(callers);
    return switch (random.nextInt(8)) {
      case 0 -> caller.with("Accept", any(List.of("text/html", "application/json", "x/y", "*/*")));
      case 1 -> caller.with("Idempotency-Key", any(List.of("k", "a b", "k".repeat(200))));
      default -> caller;
    };
  }

  private String type() {
    return any(
        List.of("application/json", "application/json", "application/json", "text/plain", "x"));
  }

  private static String produced(String operation) {
    return switch (operation) {
      case "get /v1/stream" -> "text/event-stream";
      case "get /v1/users/me/export" -> "application/x-ndjson";
      default -> "application/json";
    };
  }

  @Test
  void answer_toAnything_isDocumented() {
    Map<String, Document.Operation> operations = Document.operations(server.anonymous());
    List<String> names = operations.keySet().stream().filter(name -> !name.equals(END)).toList();
    Set<Integer> met = new TreeSet<>();
    for (int i = 0; i < REQUESTS; i++) {
      // One request in ten may create something, however many routes there are.
      String name = random.nextInt(10) == 0 ? CREATE : any(names);
      String method = name.split(" ")[0].toUpperCase(Locale.ROOT);
      String path = path(name.split(" ")[1]);
      String body = method.equals("GET") ? null : json();
      Api caller =
          body == null || body.isEmpty() ? caller() : caller().with("Content-Type", type());

      Answer answer = caller.send(method, path, body);

      met.add(answer.status());
      String what = "seed " + SEED + ", " + i + ": " + method + " " + path + " " + body + " -> ";
      // The value of a variable may be the fixed segment of another route.
      String literal = name.split(" ")[0] + " " + path.split("\\?")[0];
      String answering = operations.containsKey(literal) ? literal : name;
      assertThat(Objects.requireNonNull(operations.get(answering)).statuses())
          .as(what + answer.text())
          .contains("" + answer.status());
      assertThat(answer.header("Content-Type").orElse(""))
          .as(what)
          .isEqualTo(
              answer.status() == 204
                  ? ""
                  : answer.status() < 400 ? produced(name) : "application/problem+json");
    }
    assertThat(met).contains(200, 201, 204, 400, 401, 404, 406, 409, 415, 422);
  }
}
