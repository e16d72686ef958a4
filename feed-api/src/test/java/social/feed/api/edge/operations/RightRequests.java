package social.feed.api.edge.operations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.event.webhook.WebhookSecret;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.Media;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.Visibility;
import social.feed.table.row.Webhook;
import social.feed.table.suspicion.Suspects;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** A valid request for every route, for the resources of one owner in a separate world. */
final class RightRequests {
  private static final long LATER = 4_000_000_000L;

  /** The bodies of the operations that require one. */
  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry("post /v1/dev/tokens", "{\"user_id\":\"someone\"}"),
          Map.entry("post /v1/users", "{\"handle\":\"%s\",\"display_name\":\"A\"}"),
          Map.entry("patch /v1/users/me", "{\"bio\":\"x\"}"),
          Map.entry(
              "post /v1/media",
              "{\"content_type\":\"image/png\",\"bytes\":9,\"sha256\":\"" + "0".repeat(64) + "\"}"),
          Map.entry("patch /v1/media/{id}", "{\"alt\":\"x\"}"),
          Map.entry("post /v1/posts", "{\"text\":\"x\"}"),
          Map.entry("patch /v1/posts/{id}", "{\"visibility\":\"public\"}"),
          Map.entry("post /v1/posts/{id}/comments", "{\"text\":\"x\"}"),
          Map.entry("post /v1/webhooks", "{\"url\":\"http://127.0.0.1:9/\"}"),
          Map.entry(
              "put /v1/operator/suspicious/{id}/slow-down",
              "{\"until\":\"" + Instant.now().plus(Duration.ofDays(1)) + "\"}"),
          Map.entry("patch /v1/webhooks/{id}", "{\"description\":\"x\"}"));

  private final Person owner;
  private final Person other;
  private final Post post;
  private final Comment comment;
  private final Notification notification;
  private final String mediaId;
  private final Webhooks webhooks;
  private int created;

  RightRequests(FeedServer server, SeedWorld world) {
    this.webhooks = new Webhooks(server.table().table(), Integer.MAX_VALUE);
    this.owner = world.user("owner");
    this.other = world.user("other");
    this.post = owner.posts("x", Visibility.FOLLOWERS);
    this.comment = owner.comments(post, "x");
    var at = Timestamps.now(server.table().clock());
    var id = TimeOrderedId.named(at, other.id());
    this.notification =
        new Notification(
            owner.id(), id, NotificationType.LIKE, other.id(), post.postId(), at, false, LATER);
    world.notifications.add(notification);
    this.mediaId = TimeOrderedId.named(at, owner.id());
    server
        .table()
        .table()
        .put(
            new Media(mediaId, owner.id(), "image/png", 9, "0".repeat(64), null, at, 3, 2, null),
            Condition.absent());
    var table = server.table().table();
    new Suspects(table)
        .note(
            new Suspect.Evidence(
                owner.id(),
                1,
                at,
                List.of(SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200))));
    new FollowWriter(table, Integer.MAX_VALUE)
        .follow(Follow.of(owner.id(), owner.id() + "-followed", at));
    index(server.bean(SearchIndex.class));
  }

  /** Lets a search find the owner and the post, so that it reads both from the table. */
  private void index(SearchIndex index) {
    try {
      index.putAccount(new IndexedAccount(owner.id(), "x", "x"), "1");
      index.putPost(
          new IndexedPost(post.postId(), owner.id(), post.text(), Set.of(), post.createdAt()), "1");
      index.refresh();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the operations of the document by name. */
  static Map<String, Document.Operation> operations(FeedServer server) {
    return Document.operations(server.anonymous());
  }

  Person owner() {
    return owner;
  }

  /** Another account, without resources. */
  Person other() {
    return other;
  }

  /**
   * Sends a request.
   *
   * @param operation such as {@code get /v1/posts/{id}}
   * @param person the account that {@code api} authenticates
   */
  Answer send(Api api, String operation, Person person) {
    String body = BODIES.get(operation);
    return send(api, operation, body == null ? null : body.formatted(handle(person)));
  }

  /** Sends a request with another body, or without one. */
  Answer send(Api api, String operation, @Nullable String body) {
    int space = operation.indexOf(' ');
    String method = operation.substring(0, space).toUpperCase(Locale.ROOT);
    String path = path(operation.substring(space + 1));
    return body == null
        ? api.send(method, path, null)
        : api.with("Content-Type", "application/json").send(method, path, body);
  }

  private static String handle(Person person) {
    return person.id().replace('-', '_');
  }

  /** Each request has a webhook of its own, of which there are few in a real deployment. */
  private String webhook() {
    var id = TimeOrderedId.named(Instant.now(), owner.id() + ++created);
    webhooks.create(
        Webhook.of(
            id,
            "http://127.0.0.1:9/",
            List.of(),
            null,
            true,
            WebhookSecret.random().text(),
            Timestamps.now(Clock.systemUTC())));
    return id;
  }

  private String path(String template) {
    String path =
        template
            .replace("/users/{id}", "/users/" + owner.id())
            .replace("/followers/{id}", "/followers/" + owner.id())
            .replace("{handle}", handle(owner))
            .replace("/posts/{id}", "/posts/" + post.postId())
            .replace("{comment_id}", comment.commentId())
            .replace("/notifications/{id}", "/notifications/" + notification.notificationId())
            .replace("/media/{id}", "/media/" + mediaId)
            .replace("/suspicious/{id}", "/suspicious/" + owner.id())
            .replace("{tag}", "x");
    if (path.contains("/webhooks/{id}")) {
      path = path.replace("{id}", webhook());
    }
    return switch (template) {
      case "/v1/relationships" -> path + "?ids=" + owner.id();
      case "/v1/search/accounts", "/v1/search/posts" -> path + "?q=x";
      case "/v1/feed/why-missing" -> path + "?post_id=" + post.postId();
      default -> path;
    };
  }
}
