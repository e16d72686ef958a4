package social.feed.bounds;

import static java.util.Objects.requireNonNull;
import static social.feed.bounds.MeasuredWorld.OPERATOR;
import static social.feed.bounds.Population.FAN;
import static social.feed.bounds.Population.SUBJECT;
import static social.feed.bounds.Population.TAG;
import static social.feed.bounds.Population.TARGET;

import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import social.feed.table.ranking.TopAuthors;
import social.feed.table.row.Block;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/** One request for each route of the API, and variants that cost something else. */
final class Routes {
  /** Small, so that a page is full when the knob is small. */
  private static final String PAGE = "limit=10";

  /** A page and one account. */
  private static final int LISTED = 11;

  private static final String POST_TEXT = "{\"text\":\"Hello @target at the #sea\"}";

  /** Nothing listens there, so that a call ends at once. */
  private static final String WEBHOOK = "http://127.0.0.1:9/";

  /** The begin of the routes that tools of the local platform call. */
  private static final String DEV = "/v1/dev/";

  /** The only measured route that is not in the OpenAPI document. */
  static final String UPLOAD = "put /media/uploads/{id}";

  private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([^\"]+)\"");

  private static final int OK = 200;
  private static final int REDIRECT = 300;

  /** A request of a caller, prepared. */
  private record Request(String caller, String path, @Nullable String body) {
    static Request of(String caller, String path) {
      return new Request(caller, path, null);
    }
  }

  private interface Prepared {
    Request in(MeasuredWorld world);
  }

  private final Map<String, Prepared> requests = new LinkedHashMap<>();

  private Routes() {
    reads();
    posts();
    engagement();
    graph();
    accounts();
    media();
    webhooks();
    suspicious();
  }

  /** Returns the operations in the order in which a world measures them. */
  static List<Operation> operations() {
    var operations = new ArrayList<Operation>();
    new Routes()
        .requests.forEach(
            (name, request) -> operations.add(new Operation(name, of(name, request))));
    operations.add(stream("get /v1/stream", SUBJECT));
    operations.add(stream("get /v1/stream, by a follower of every celebrity", FAN));
    return operations;
  }

  private static Operation stream(String name, String caller) {
    return new Operation(
        name,
        world -> {
          world.token(caller);
          return () -> world.openStream(caller, status -> requireSuccess(status, ""));
        });
  }

  /** Returns the routes of the OpenAPI document of a world. */
  static Set<String> documented(MeasuredWorld world) {
    Map<String, Map<String, Map<String, Object>>> document =
        new Yaml().load(world.send("", "GET", "/openapi.yml", null).body());
    var names = new TreeSet<String>();
    requireNonNull(document.get("paths"))
        .forEach((path, methods) -> methods.keySet().forEach(m -> names.add(m + " " + path)));
    return names;
  }

  /** The routes that are not measured, with the reason. The last one is the begin of several. */
  static Map<String, String> omitted() {
    var reasons = new LinkedHashMap<String, String>();
    for (var word : List.of("followers", "following", "mutuals")) {
      reasons.put(
          "get /v1/users/by-handle/" + word,
          "reads as `get /v1/users/by-handle/{handle}`, for a handle that is a word of another path");
    }
    reasons.put("get /media/files/{id}/{name}", "reads a file of the folder and no row");
    reasons.put("get /openapi.yml", "reads no row");
    reasons.put("get /metrics", "reads no row");
    reasons.put("get /health", "describes the table at most once a second, and reads no row");
    reasons.put("get /health/{selector}", "the same");
    reasons.put("get /", "the page of the local platform: reads no row");
    reasons.put("get /page/{+path}", "a file of that page");
    reasons.put(
        DEV,
        "tools of the local platform, which a stage does not have. They read up to 20 MB of the table, each row of a request, or what `feed verify` reads");
    return reasons;
  }

  /** Returns the routes of a server that are neither measured nor left out with a reason. */
  static Set<String> unexplained(Set<String> all, List<Operation> measured) {
    var left = new TreeSet<>(all);
    measured.forEach(operation -> left.remove(routeOf(operation)));
    left.removeAll(omitted().keySet());
    left.removeIf(route -> route.substring(route.indexOf(' ') + 1).startsWith(DEV));
    return left;
  }

  /** Returns the route of an operation, without the variant. */
  static String routeOf(Operation operation) {
    return operation.name().replaceFirst(",.*", "");
  }

  private static Operation.Preparation of(String name, Prepared prepared) {
    return world -> {
      var request = prepared.in(world);
      var method = name.substring(0, name.indexOf(' ')).toUpperCase(Locale.ROOT);
      if (!request.caller().isEmpty()) {
        world.token(request.caller());
      }
      return () -> {
        var response = world.send(request.caller(), method, request.path(), request.body());
        requireSuccess(response.statusCode(), response.body());
      };
    };
  }

  private static void requireSuccess(int status, String body) {
    if (status < OK || status >= REDIRECT) {
      throw new AssertionError(status + " " + body);
    }
  }

  private void get(String path, String query) {
    var filled = path.replace("{id}", TARGET).replace("{handle}", TARGET).replace("{tag}", TAG);
    requests.put("get " + path, _ -> Request.of(SUBJECT, filled + query));
  }

  private void reads() {
    get("/v1/access-patterns", "");
    requests.put(
        "get /v1/feed",
        world -> Request.of(SUBJECT, "/v1/feed?limit=" + world.population().size(Knob.PAGE)));
    requests.put(
        "get /v1/feed, older than the stored feed",
        world -> {
          var now = world.population().now;
          world.population().put(new FeedActivity(TARGET, now, now, null));
          return Request.of(TARGET, "/v1/feed?" + PAGE);
        });
    requests.put(
        "get /v1/feed, by a follower of every celebrity", _ -> Request.of(FAN, "/v1/feed?" + PAGE));
    requests.put(
        "get /v1/feed/why-missing",
        world ->
            Request.of(
                SUBJECT,
                "/v1/feed/why-missing?post_id=" + world.population().feedPost(0).postId()));
    requests.put(
        "get /v1/leaderboards/authors",
        _ -> Request.of(SUBJECT, "/v1/leaderboards/authors?" + PAGE));
    requests.put(
        "get /v1/leaderboards/authors, of the oldest month by followers",
        _ ->
            Request.of(
                SUBJECT,
                "/v1/leaderboards/authors?period="
                    + YearMonth.now(ZoneOffset.UTC).minusMonths(TopAuthors.MONTHS_BACK)
                    + "&"
                    + PAGE));
    get("/v1/notifications", "?" + PAGE);
    unreadCounts();
    get("/v1/relationships", "?ids=" + TARGET);
    get("/v1/search/accounts", "?q=" + TARGET + "&" + PAGE);
    get("/v1/search/posts", "?q=" + TAG + "&" + PAGE);
    get("/v1/tags/{tag}/posts", "?" + PAGE);
    get("/v1/tags/trending", "?" + PAGE);
    get("/v1/users/me", "");
    get("/v1/users/me/blocks", "");
    get("/v1/users/me/comments", "?" + PAGE);
    get("/v1/users/me/likes", "?" + PAGE);
    get("/v1/users/me/mutes", "");
    get("/v1/users/me/export", "");
    get("/v1/users/{id}", "");
    get("/v1/users/by-handle/{handle}", "");
    get("/v1/users/{id}/posts", "?" + PAGE);
    get("/v1/users/{id}/followers", "?" + PAGE);
    get("/v1/users/{id}/following", "?" + PAGE);
    get("/v1/users/{id}/common-following", "?" + PAGE);
    get("/v1/users/{id}/mutuals", "?" + PAGE);
  }

  /** The inbox has the number, after a count that found nothing hidden, or has to be read again. */
  private void unreadCounts() {
    var path = "/v1/notifications/unread-count";
    requests.put(
        "get " + path,
        world -> {
          world.send(SUBJECT, "GET", path, null);
          return Request.of(SUBJECT, path);
        });
    requests.put(
        "get " + path + ", of an account in many blocks",
        world -> {
          world.population().blockByMany();
          world.send(SUBJECT, "GET", path, null);
          return Request.of(SUBJECT, path);
        });
    requests.put(
        "get " + path + ", where it reads the notifications",
        world -> {
          world.population().forgetUnread();
          return Request.of(SUBJECT, path);
        });
  }

  private void posts() {
    requests.put("post /v1/posts", _ -> new Request(SUBJECT, "/v1/posts", POST_TEXT));
    requests.put("post /v1/posts, with four files", Routes::withFiles);
    requests.put("get /v1/posts/{id}", world -> Request.of(SUBJECT, ofTarget(world, "")));
    requests.put(
        "get /v1/posts/{id}, with many likes",
        world -> Request.of(SUBJECT, "/v1/posts/" + world.population().viralPost().postId()));
    requests.put(
        "patch /v1/posts/{id}",
        world -> new Request(SUBJECT, own(world), "{\"visibility\":\"followers\"}"));
    requests.put("delete /v1/posts/{id}", world -> Request.of(SUBJECT, own(world)));
    requests.put(
        "get /v1/posts/{id}/delivery",
        world ->
            Request.of(
                SUBJECT, "/v1/posts/" + world.population().subjectsPost().postId() + "/delivery"));
  }

  private static String ofTarget(MeasuredWorld world, String rest) {
    return "/v1/posts/" + world.population().targetsPost().postId() + rest;
  }

  private static String own(MeasuredWorld world) {
    var post = world.population().freshPost(Visibility.PUBLIC);
    world.population().put(post);
    return "/v1/posts/" + post.postId();
  }

  private void engagement() {
    requests.put(
        "post /v1/posts/{id}/like", world -> Request.of(SUBJECT, ofTarget(world, "/like")));
    requests.put(
        "delete /v1/posts/{id}/like",
        world -> {
          var post = world.population().targetsPost();
          world.population().put(new Like(post.postId(), SUBJECT, TARGET, world.population().now));
          return Request.of(SUBJECT, ofTarget(world, "/like"));
        });
    requests.put(
        "get /v1/posts/{id}/likes",
        world -> Request.of(SUBJECT, ofTarget(world, "/likes?" + PAGE)));
    requests.put(
        "get /v1/posts/{id}/likes, of a post whose likes are spread",
        world ->
            Request.of(
                SUBJECT,
                "/v1/posts/" + world.population().spreadPost().postId() + "/likes?" + PAGE));
    requests.put(
        "post /v1/posts/{id}/comments",
        world -> new Request(SUBJECT, ofTarget(world, "/comments"), "{\"text\":\"x\"}"));
    requests.put(
        "get /v1/posts/{id}/comments",
        world -> Request.of(SUBJECT, ofTarget(world, "/comments?" + PAGE)));
    requests.put(
        "delete /v1/posts/{id}/comments/{comment_id}",
        world -> {
          var population = world.population();
          var comment = population.comment(population.targetsPost(), SUBJECT, population.now);
          population.put(comment);
          return Request.of(SUBJECT, ofTarget(world, "/comments/" + comment.commentId()));
        });
    requests.put(
        "post /v1/notifications/{id}/read",
        world ->
            Request.of(
                SUBJECT,
                "/v1/notifications/" + world.population().unread(0).notificationId() + "/read"));
    requests.put(
        "post /v1/notifications/read-all", _ -> Request.of(SUBJECT, "/v1/notifications/read-all"));
  }

  private void graph() {
    ofUser("post", "follow", _ -> {});
    ofUser("delete", "follow", Routes::follow);
    ofUser("put", "special-follow", Routes::follow);
    ofUser(
        "delete",
        "special-follow",
        world -> {
          var now = world.population().now;
          world
              .population()
              .put(
                  new Follow(SUBJECT, TARGET, now, null, null, false, now),
                  new SpecialFollower(SUBJECT, TARGET, now));
        });
    ofUser("put", "block", Routes::follow);
    ofUser(
        "delete",
        "block",
        world -> {
          var block = new Block(SUBJECT, TARGET, world.population().now);
          world.population().put(block, block.mirrored());
        });
    ofUser("put", "mute", _ -> {});
    ofUser(
        "delete",
        "mute",
        world -> world.population().put(Mute.of(SUBJECT, TARGET, world.population().now, null)));
    requests.put(
        "delete /v1/users/me/followers/{id}",
        world -> {
          var follower = world.population().account();
          world
              .population()
              .put(
                  Follow.of(follower, SUBJECT, world.population().now),
                  new FollowQuota(follower, 1, 1));
          return Request.of(SUBJECT, "/v1/users/me/followers/" + follower);
        });
  }

  private static void follow(MeasuredWorld world) {
    world.population().put(Follow.of(SUBJECT, TARGET, world.population().now));
  }

  private interface Setup {
    void of(MeasuredWorld world);
  }

  /** A write of the subject to the target. */
  private void ofUser(String method, String what, Setup setup) {
    requests.put(
        method + " /v1/users/{id}/" + what,
        world -> {
          setup.of(world);
          return Request.of(SUBJECT, "/v1/users/" + TARGET + "/" + what);
        });
  }

  private void media() {
    get("/v1/users/me/media", "?" + PAGE);
    var announced =
        new Request(
            SUBJECT,
            "/v1/media",
            "{\"content_type\":\"image/png\",\"bytes\":%d,\"sha256\":\"%s\"}"
                .formatted(MediaUpload.BYTES, MediaUpload.SHA256));
    requests.put("post /v1/media", _ -> announced);
    requests.put(
        UPLOAD,
        world -> {
          var file = world.send(SUBJECT, "POST", announced.path(), announced.body()).body();
          var address = ADDRESS.matcher(file).results().findFirst().orElseThrow().group(1);
          return new Request("", address, "x");
        });
    requests.put(
        "post /v1/media/{id}/complete",
        world -> {
          var path = own(world, Population.LATER);
          MediaUpload.store(world, path.substring("/v1/media/".length()));
          return Request.of(SUBJECT, path + "/complete");
        });
    requests.put("get /v1/media/{id}", world -> Request.of(SUBJECT, own(world, null)));
    requests.put(
        "patch /v1/media/{id}", world -> new Request(SUBJECT, own(world, null), "{\"alt\":\"y\"}"));
    requests.put("delete /v1/media/{id}", world -> Request.of(SUBJECT, own(world, null)));
  }

  /** There are at most {@code feed.webhooks.max} of them. */
  private void webhooks() {
    requests.put(
        "post /v1/webhooks",
        _ ->
            new Request(
                OPERATOR, "/v1/webhooks", "{\"url\":\"%s\",\"enabled\":false}".formatted(WEBHOOK)));
    requests.put("get /v1/webhooks", _ -> Request.of(OPERATOR, "/v1/webhooks"));
    requests.put("get /v1/webhooks/{id}", world -> webhook(world, ""));
    requests.put(
        "patch /v1/webhooks/{id}",
        world -> new Request(OPERATOR, webhook(world, "").path(), "{\"description\":\"x\"}"));
    requests.put("delete /v1/webhooks/{id}", world -> webhook(world, ""));
    requests.put("post /v1/webhooks/{id}/test", world -> webhook(world, "/test"));
    requests.put("get /v1/webhooks/{id}/deliveries", world -> webhook(world, "/deliveries"));
  }

  private void suspicious() {
    var path = "/v1/operator/suspicious";
    requests.put(
        "get " + path,
        world -> {
          for (int i = 0; i < LISTED; i++) {
            var account = "listed" + i;
            world
                .population()
                .putForOne(
                    List.of(
                        user(world, account),
                        suspect(world, account),
                        new FollowQuota(account, 1, 1)));
          }
          return Request.of(OPERATOR, path + "?" + PAGE);
        });
    requests.put(
        "post " + path + "/{id}/dismiss",
        world -> {
          world
              .population()
              .putForOne(List.of(user(world, "dismissed"), suspect(world, "dismissed")));
          return Request.of(OPERATOR, path + "/dismissed/dismiss");
        });
    requests.put(
        "put " + path + "/{id}/slow-down",
        world ->
            new Request(
                OPERATOR,
                path + "/" + SUBJECT + "/slow-down",
                "{\"until\":\"" + world.population().now.plus(Duration.ofDays(1)) + "\"}"));
    requests.put(
        "delete " + path + "/{id}/slow-down",
        _ -> Request.of(OPERATOR, path + "/" + SUBJECT + "/slow-down"));
  }

  private static User user(MeasuredWorld world, String account) {
    return User.registered(account, account, account, null, world.population().now);
  }

  static Suspect suspect(MeasuredWorld world, String account) {
    var burst = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200);
    return Suspect.of(new Evidence(account, 1, world.population().now, List.of(burst)));
  }

  /** Writes a webhook and returns a request for it. */
  private static Request webhook(MeasuredWorld world, String end) {
    return Request.of(OPERATOR, "/v1/webhooks/" + world.webhook(WEBHOOK) + end);
  }

  private static Request withFiles(MeasuredWorld world) {
    var media =
        IntStream.range(0, 4)
            .mapToObj(_ -> world.population().media(null))
            .peek(world.population()::put)
            .map(file -> '"' + file.mediaId() + '"')
            .collect(Collectors.joining(","));
    return new Request(SUBJECT, "/v1/posts", "{\"text\":\"x\",\"media\":[" + media + "]}");
  }

  /** Writes a file and returns its path. */
  private static String own(MeasuredWorld world, @Nullable Long expiresAt) {
    var media = world.population().media(expiresAt);
    world.population().put(media);
    return "/v1/media/" + media.mediaId();
  }

  private void accounts() {
    requests.put(
        "post /v1/dev/tokens", _ -> new Request("", "/v1/dev/tokens", "{\"user_id\":\"subject\"}"));
    requests.put(
        "post /v1/users",
        world -> {
          var id = world.population().unregistered();
          return new Request(
              id, "/v1/users", "{\"handle\":\"%s\",\"display_name\":\"A name\"}".formatted(id));
        });
    requests.put(
        "patch /v1/users/me", _ -> new Request(SUBJECT, "/v1/users/me", "{\"bio\":\"x\"}"));
    requests.put(
        "patch /v1/users/me, with another avatar",
        world -> {
          var file = world.population().otherAvatar();
          return new Request(
              file.ownerId(), "/v1/users/me", "{\"avatar\":\"%s\"}".formatted(file.mediaId()));
        });
    requests.put(
        "delete /v1/users/me", world -> Request.of(world.population().account(), "/v1/users/me"));
  }
}
