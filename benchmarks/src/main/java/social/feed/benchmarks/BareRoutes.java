package social.feed.benchmarks;

import static java.util.Comparator.naturalOrder;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonGenerator;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Inbox;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Routes that make the calls of the API's routes and nothing else: no token, no limits, no rules,
 * no metrics. The client names its user. Items become JSON with their stored names. {@code
 * benchmarks/routes --check} compares the calls with those of the API.
 */
@Controller
@Requires(env = BareApi.ENVIRONMENT)
@ExecuteOn(TaskExecutors.BLOCKING)
final class BareRoutes {
  static final String VIEWER = "X-Viewer";

  private static final List<String> PROFILE =
      List.of(
          "user_id",
          "handle",
          "display_name",
          "bio",
          "created_at",
          "followers_count",
          "following_count",
          "posts_count",
          "is_celebrity");
  private static final List<String> AUTHOR = List.of("user_id", "handle", "display_name");
  private static final List<String> POST =
      List.of(
          "post_id",
          "text",
          "visibility",
          "media_ref",
          "created_at",
          "likes_count",
          "comments_count");
  private static final List<String> NOTIFICATION =
      List.of("notification_id", "type", "post_id", "created_at", "read");

  /** Limits of the API's calls. */
  private static final int BLOCKS_BETWEEN = 30;

  private static final int BLOCKS = 500;
  private static final int LIKES = 100;
  private static final int NOTIFICATIONS = 50;
  private static final int FEED_SHARDS = 4;

  private final BareTable table = new BareTable();
  private final FreshItems posts;
  private final FreshItems accounts;

  BareRoutes() {
    var fresh = Duration.ofMillis(Long.parseLong(requireNonNull(System.getenv("BARE_FRESH_MS"))));
    this.posts = new FreshItems(fresh, ids -> table.byId(ids, Post::key, "post_id"));
    this.accounts = new FreshItems(fresh, ids -> table.byId(ids, User::key, "user_id"));
  }

  @Get("/health/liveness")
  HttpResponse<byte[]> health() {
    return HttpResponse.ok();
  }

  @Get("/v1/users/{id}")
  HttpResponse<byte[]> profile(@Header(VIEWER) String viewer, String id) {
    if (!table.getAll(true, List.of(BlockedBy.key(viewer, id))).isEmpty()) {
      return HttpResponse.notFound();
    }
    var user = table.get(User.key(id));
    return json(HttpStatus.OK, json -> BareJson.fields(json, user, PROFILE));
  }

  @Get("/v1/posts/{id}")
  HttpResponse<byte[]> post(@Header(VIEWER) String viewer, String id) {
    var post = table.get(Post.key(id));
    if (isBlocked(viewer, text(post, "author_id"))) {
      return HttpResponse.notFound();
    }
    var author = author(post);
    var liked = !table.getAll(false, List.of(Like.key(id, viewer))).isEmpty();
    return json(HttpStatus.OK, json -> post(json, post, author, liked));
  }

  @io.micronaut.http.annotation.Post("/v1/posts/{id}/like")
  HttpResponse<byte[]> like(@Header(VIEWER) String viewer, String id) {
    table.get(User.key(viewer));
    var post = table.get(Post.key(id));
    var authorId = text(post, "author_id");
    if (isBlocked(viewer, authorId)) {
      return HttpResponse.notFound();
    }
    author(post);
    var now = now();
    put(RowCodec.encode(new Like(id, viewer, authorId, now)));
    return json(HttpStatus.OK, json -> json.writeStringField("liked_at", now.toString()));
  }

  @io.micronaut.http.annotation.Post("/v1/users/{id}/follow")
  HttpResponse<byte[]> follow(@Header(VIEWER) String viewer, String id) {
    table.get(User.key(viewer));
    table.get(User.key(id));
    var quota = new HashMap<>(table.get(FollowQuota.key(viewer)));
    var version = quota.getOrDefault("version", AttributeValue.fromN("0"));
    increment(quota, "version");
    increment(quota, "unrelated_version");
    increment(quota, "following");
    increment(quota, "follows");
    var edge = RowCodec.encode(Follow.of(viewer, id, now()));
    table
        .client()
        .transactWriteItems(
            t ->
                t.transactItems(
                    i ->
                        i.put(
                            p ->
                                p.tableName(table.name())
                                    .item(edge)
                                    .conditionExpression("attribute_not_exists(#e)")
                                    .expressionAttributeNames(Map.of("#e", "entity"))),
                    i ->
                        i.put(
                            p ->
                                p.tableName(table.name())
                                    .item(quota)
                                    .conditionExpression("#v = :v")
                                    .expressionAttributeNames(Map.of("#v", "version"))
                                    .expressionAttributeValues(Map.of(":v", version)))));
    return HttpResponse.noContent();
  }

  @io.micronaut.http.annotation.Post("/v1/posts")
  HttpResponse<byte[]> create(@Header(VIEWER) String viewer, @Body Map<String, String> body) {
    var author = table.get(User.key(viewer));
    var now = now();
    var post =
        RowCodec.encode(
            new Post(
                TimeOrderedId.random(now, ThreadLocalRandom.current()),
                viewer,
                requireNonNull(body.get("text")),
                List.of(),
                List.of(),
                Visibility.PUBLIC,
                null,
                now,
                FEED_SHARDS,
                FanOutMode.PUSH,
                0,
                0,
                Map.of()));
    put(post);
    return json(HttpStatus.CREATED, json -> post(json, post, author, false));
  }

  @Get("/v1/feed")
  HttpResponse<byte[]> home(@Header(VIEWER) String viewer, @QueryValue int limit) {
    var ids =
        table.newest(Index.FEED_BY_USER, Keys.feed(viewer), limit + 1).stream()
            .map(entry -> afterLast(text(entry, Index.FEED_BY_USER.sortKey())))
            .toList();
    table.get(FollowQuota.key(viewer));
    var found = posts.getAll(ids);
    var liked = new HashSet<String>();
    var oldest =
        found.values().stream()
            .map(post -> Timestamps.parse(text(post, "created_at")))
            .min(naturalOrder())
            .map(created -> created.minus(Timestamps.MAX_CLOCK_SKEW));
    table
        .keysSince(
            Index.POSTS_BY_TAG,
            Keys.liker(viewer),
            Keys.timed(oldest.orElse(Instant.EPOCH), ""),
            LIKES)
        .forEach(like -> liked.add(afterLast(text(like, Index.POSTS_BY_TAG.sortKey()))));
    var authors =
        accounts.getAll(
            Set.copyOf(found.values().stream().map(p -> text(p, "author_id")).toList()));
    return json(
        HttpStatus.OK,
        json -> {
          json.writeArrayFieldStart("items");
          for (var id : ids.subList(0, Math.min(limit, ids.size()))) {
            var post = requireNonNull(found.get(id));
            json.writeStartObject();
            post(json, post, authors.get(text(post, "author_id")), liked.contains(id));
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  @Get("/v1/notifications")
  HttpResponse<byte[]> notifications(@Header(VIEWER) String viewer, @QueryValue int limit) {
    var partition = Keys.user(viewer);
    table.get(Inbox.key(viewer));
    var stored =
        table.beginning(
            partition,
            Keys.NOTIFICATIONS,
            QueryRequest.builder().scanIndexForward(false).limit(NOTIFICATIONS));
    table.beginning(
        partition, Keys.BLOCKS, QueryRequest.builder().consistentRead(true).limit(BLOCKS));
    table.beginning(
        partition, Keys.MUTES, QueryRequest.builder().consistentRead(true).limit(BLOCKS));
    var actors =
        accounts.getAll(Set.copyOf(stored.stream().map(n -> text(n, "actor_id")).toList()));
    return json(
        HttpStatus.OK,
        json -> {
          json.writeArrayFieldStart("items");
          for (var notification : stored.subList(0, Math.min(limit, stored.size()))) {
            json.writeStartObject();
            BareJson.fields(json, notification, NOTIFICATION);
            author(json, "actor", actors.get(text(notification, "actor_id")));
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private boolean isBlocked(String viewer, String other) {
    var block = Block.key(viewer, other);
    return !table.between(block, BlockedBy.key(viewer, other), BLOCKS_BETWEEN).isEmpty();
  }

  private @Nullable Map<String, AttributeValue> author(Map<String, AttributeValue> post) {
    var id = text(post, "author_id");
    return accounts.getAll(Set.of(id)).get(id);
  }

  private void put(Map<String, AttributeValue> item) {
    table
        .client()
        .putItem(
            p ->
                p.tableName(table.name())
                    .item(item)
                    .conditionExpression("attribute_not_exists(#e)")
                    .expressionAttributeNames(Map.of("#e", "entity")));
  }

  private static void increment(Map<String, AttributeValue> item, String name) {
    var value = item.getOrDefault(name, AttributeValue.fromN("0"));
    item.put(name, AttributeValue.fromN(Long.toString(Long.parseLong(value.n()) + 1)));
  }

  private static void post(
      JsonGenerator json,
      Map<String, AttributeValue> post,
      @Nullable Map<String, AttributeValue> author,
      boolean liked)
      throws IOException {
    BareJson.fields(json, post, POST);
    author(json, "author", author);
    json.writeBooleanField("liked", liked);
  }

  private static void author(
      JsonGenerator json, String name, @Nullable Map<String, AttributeValue> author)
      throws IOException {
    if (author != null) {
      json.writeObjectFieldStart(name);
      BareJson.fields(json, author, AUTHOR);
      json.writeEndObject();
    }
  }

  private static HttpResponse<byte[]> json(HttpStatus status, BareJson.Body body) {
    return HttpResponse.<byte[]>status(status)
        .contentType(MediaType.APPLICATION_JSON_TYPE)
        .body(BareJson.object(body));
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return requireNonNull(item.get(name), name).s();
  }

  private static String afterLast(String sort) {
    return sort.substring(sort.lastIndexOf('#') + 1);
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
