package social.feed.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Inbox;
import social.feed.table.row.Like;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.testkit.SamplePosts;

/**
 * The stored accounts and the requests of the routes. Requests go round all accounts and posts, so
 * that both sides find as much in their caches. The number of callers is prime, so that no pair of
 * caller and target repeats for a long time.
 */
final class RouteWorld {
  /** A feed has more entries than a page, so that a page does not read beyond the stored ones. */
  private static final int FEED = 60;

  private static final int PAGE = 50;
  private static final int NOTIFICATIONS = 30;
  private static final int NOTIFICATION_PAGE = 20;
  private static final Duration KEPT = Duration.ofDays(90);
  static final String TEXT =
      "A post of usual length, with a few words on what its author did today and why it matters.";

  private final Random random = new Random(42);
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
  private final Issuer issuer;
  private final List<Row> rows = new ArrayList<>();
  private final List<Post> posts = new ArrayList<>();
  private final List<Caller> callers = new ArrayList<>();

  /** They read the same posts. */
  private final List<Caller> hotReaders = new ArrayList<>();

  /** Each reads posts of its own. */
  private final List<Caller> coldReaders = new ArrayList<>();

  private record Caller(String userId, String head) {}

  /** The routes. A cold one runs without caches. */
  enum Route {
    PROFILE("profile", 200, false),
    POST("post", 200, false),
    HOME_HOT("home page, hot", 200, false),
    LIKE("like", 200, false),
    FOLLOW("follow", 204, false),
    CREATE("create post", 201, false),
    NOTIFICATIONS("notifications", 200, false),
    HOME_COLD("home page, cold", 200, true);

    private final String title;
    private final int status;
    private final boolean isCold;

    Route(String title, int status, boolean isCold) {
      this.title = title;
      this.status = status;
      this.isCold = isCold;
    }

    String title() {
      return title;
    }

    /** The status of each response. */
    int status() {
      return status;
    }

    boolean isCold() {
      return isCold;
    }
  }

  /**
   * Makes the rows.
   *
   * @param authors at least the 60 that a feed has
   */
  RouteWorld(Issuer issuer, int authors, int callerCount, int hot) throws JOSEException {
    this.issuer = issuer;
    for (int i = 0; i < authors; i++) {
      var author = account("author%05d".formatted(i));
      var post = post(author, now.minusSeconds(60L + authors - i));
      posts.add(post);
      rows.add(post);
    }
    for (int i = 0; i < callerCount; i++) {
      var userId = account("caller%05d".formatted(i));
      rows.add(FollowQuota.none(userId).following(List.of()));
      callers.add(caller(userId));
    }
    for (int i = 0; i < hot; i++) {
      hotReaders.add(reader("hot%05d".formatted(i), 0));
    }
    for (int i = 0; i + FEED <= authors; i += FEED) {
      coldReaders.add(reader("cold%05d".formatted(i), i));
    }
  }

  private String account(String userId) {
    rows.add(User.registered(userId, userId, "Name of " + userId, "A short bio", now));
    return userId;
  }

  private Caller caller(String userId) throws JOSEException {
    return new Caller(
        userId,
        " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nAuthorization: Bearer %s\r\n%s: %s\r\n"
            .formatted(issuer.token(userId), BareRoutes.VIEWER, userId));
  }

  private Post post(String authorId, Instant at) {
    return SamplePosts.by(authorId, at).randomId(random).text(TEXT).build();
  }

  /** Makes a reader of a feed who follows its authors, likes every other post and has an inbox. */
  private Caller reader(String name, int firstPost) throws JOSEException {
    var userId = account(name);
    var feed = posts.subList(firstPost, firstPost + FEED);
    rows.add(FollowQuota.none(userId).following(feed.stream().map(Post::authorId).toList()));
    rows.add(FeedActivity.at(userId, now));
    for (int i = 0; i < FEED; i++) {
      var post = feed.get(i);
      rows.add(Follow.of(userId, post.authorId(), now.minus(Duration.ofDays(1))));
      rows.add(FeedEntry.of(post.ref(), userId));
      if (i % 2 == 0) {
        rows.add(Like.of(post, userId, now));
      }
    }
    rows.add(Inbox.empty(userId));
    for (int i = 0; i < NOTIFICATIONS; i++) {
      var at = now.minusSeconds(i);
      rows.add(
          new Notification(
              userId,
              TimeOrderedId.random(at, random),
              NotificationType.LIKE,
              posts.get((firstPost + i) % posts.size()).authorId(),
              posts.get(i).postId(),
              at,
              false,
              at.plus(KEPT).getEpochSecond()));
    }
    return caller(userId);
  }

  /** Writes the rows with several calls at once. Returns their number. */
  int store(Table table) {
    int part = 500;
    IntStream.range(0, Math.ceilDiv(rows.size(), part))
        .parallel()
        .forEach(i -> table.putAll(rows.subList(i * part, Math.min(rows.size(), (i + 1) * part))));
    return rows.size();
  }

  /** Returns a request of a route. Those of different numbers have different targets. */
  byte[] request(Route route, long number) {
    var post = posts.get((int) (number % posts.size()));
    var caller = of(callers, number);
    var text =
        switch (route) {
          case PROFILE -> "GET /v1/users/" + post.authorId() + caller.head() + "\r\n";
          case POST -> "GET /v1/posts/" + post.postId() + caller.head() + "\r\n";
          case HOME_HOT -> "GET /v1/feed?limit=" + PAGE + of(hotReaders, number).head() + "\r\n";
          case HOME_COLD -> "GET /v1/feed?limit=" + PAGE + of(coldReaders, number).head() + "\r\n";
          case NOTIFICATIONS ->
              "GET /v1/notifications?limit="
                  + NOTIFICATION_PAGE
                  + of(hotReaders, number).head()
                  + "\r\n";
          case LIKE -> "POST /v1/posts/" + post.postId() + "/like" + caller.head() + empty();
          case FOLLOW -> "POST /v1/users/" + post.authorId() + "/follow" + caller.head() + empty();
          case CREATE ->
              "POST /v1/posts" + caller.head() + json("{\"text\":\"%s\"}".formatted(TEXT));
        };
    return text.getBytes(UTF_8);
  }

  /** Returns a request as a line for {@link BareLoop}. */
  String call(Route route, long number) {
    var text = new String(request(route, number), UTF_8);
    var header = BareRoutes.VIEWER + ": ";
    int viewer = text.indexOf(header) + header.length();
    return text.substring(0, text.indexOf(" HTTP/1.1"))
        + " "
        + text.substring(viewer, text.indexOf("\r\n", viewer));
  }

  /** Returns after how many requests the same reader is next. */
  int readers(Route route) {
    return route.isCold() ? coldReaders.size() : hotReaders.size();
  }

  private static Caller of(List<Caller> callers, long number) {
    return callers.get((int) (number % callers.size()));
  }

  private static String empty() {
    return "Content-Length: 0\r\n\r\n";
  }

  private static String json(String body) {
    return "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(body.getBytes(UTF_8).length, body);
  }
}
