package social.feed.image;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FanOutMode;
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
import social.feed.table.row.Visibility;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Sends an API the requests that users send most, so that its JVM records which methods they use
 * and how. It ends after {@link #ROUNDS} rounds of all routes or after {@link #LONGEST}, whichever
 * comes first, and fails at the first response that is an error.
 */
final class ImageRehearsal {
  /**
   * More than the ten thousand calls after which the JVM's second compiler begins. The tests of the
   * build set a smaller number.
   */
  private static final int ROUNDS =
      Integer.parseInt(System.getenv().getOrDefault("REHEARSAL_ROUNDS", "2500"));

  private static final Duration LONGEST = Duration.ofSeconds(45);

  /** For one response, also where a processor is emulated. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** As many requests at once as a task has virtual threads busy under usual load. */
  private static final int AT_ONCE = 8;

  private static final int AUTHORS = 60;
  private static final int READERS = 17;
  private static final int NOTIFICATIONS = 30;
  private static final int FIRST_ERROR = 400;
  private static final int BITS = 2_048;
  private static final String TABLE = "feed";
  private static final String TEXT =
      "A post of usual length, with a few words on what its author did today and why it matters.";

  private final Random random = new Random(42);
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
  private final URI api;
  private final RSAKey key;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Post> posts = new ArrayList<>();
  private final List<String> tokens = new ArrayList<>();

  private ImageRehearsal(URI api, RSAKey key) {
    this.api = api;
    this.key = key;
  }

  /** Arguments: the port of the table and of the key of the tokens, the port of the API. */
  public static void main(String[] arguments) throws Exception {
    // Without it, each answer of the table waits for the client's acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    int port = Integer.parseInt(arguments[0]);
    var key = new RSAKeyGenerator(BITS).keyID("rehearsal").generate();
    var rehearsal = new ImageRehearsal(URI.create("http://127.0.0.1:" + arguments[1]), key);
    try (var _ = new RehearsalTable(port, new JWKSet(key.toPublicJWK()).toString())) {
      rehearsal.store(URI.create("http://127.0.0.1:" + port));
      rehearsal.run();
    }
    System.exit(0);
  }

  /** Stores authors with a post each, and readers with a feed, follows, likes and an inbox. */
  private void store(URI table) throws JOSEException {
    var rows = new ArrayList<Row>();
    for (int i = 0; i < AUTHORS; i++) {
      var author = account("author%05d".formatted(i), rows);
      posts.add(post(author, now.minusSeconds(60L + AUTHORS - i)));
    }
    rows.addAll(posts);
    for (int i = 0; i < READERS; i++) {
      var reader = account("reader%05d".formatted(i), rows);
      tokens.add(token(reader));
      rows.add(FollowQuota.none(reader).following(posts.stream().map(Post::authorId).toList()));
      rows.add(FeedActivity.at(reader, now));
      rows.add(Inbox.empty(reader));
      for (var post : posts) {
        rows.add(Follow.of(reader, post.authorId(), now.minus(Duration.ofDays(1))));
        rows.add(FeedEntry.of(post.ref(), reader));
        rows.add(Like.of(post, reader, now));
      }
      for (var post : posts.subList(0, NOTIFICATIONS)) {
        rows.add(notification(reader, post));
      }
    }
    try (var client =
        DynamoDbClient.builder()
            .endpointOverride(table)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("none", "none")))
            .build()) {
      new Table(client, TABLE, Retry.standard()).putAll(rows);
    }
  }

  private String account(String userId, List<Row> rows) {
    rows.add(User.registered(userId, userId, "Name of " + userId, "A short bio", now));
    return userId;
  }

  private Post post(String authorId, Instant at) {
    return new Post(
        TimeOrderedId.random(at, random),
        authorId,
        TEXT,
        List.of(),
        List.of(),
        Visibility.PUBLIC,
        null,
        at,
        4,
        FanOutMode.PUSH,
        0,
        0,
        Map.of());
  }

  private Notification notification(String reader, Post post) {
    return new Notification(
        reader,
        TimeOrderedId.random(now, random),
        NotificationType.LIKE,
        post.authorId(),
        post.postId(),
        now,
        false,
        now.plus(Duration.ofDays(90)).getEpochSecond());
  }

  private void run() throws Exception {
    var begun = new AtomicInteger();
    long end = System.nanoTime() + LONGEST.toNanos();
    Callable<Integer> sender =
        () -> {
          int sent = 0;
          for (int i = begun.getAndIncrement();
              i < ROUNDS && System.nanoTime() < end;
              i = begun.getAndIncrement()) {
            sent += round(i);
          }
          return sent;
        };
    int sent = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var one : threads.invokeAll(Collections.nCopies(AT_ONCE, sender))) {
        sent += one.get();
      }
    }
    if (sent == 0) {
      throw new IllegalStateException("No request was sent. REHEARSAL_ROUNDS is " + ROUNDS);
    }
    System.out.printf("%,d requests sent%n", sent);
  }

  /** Sends one request of each route. Returns their number. */
  private int round(int i) throws IOException, InterruptedException {
    var post = posts.get(i % posts.size());
    var token = tokens.get(i % tokens.size());
    var user = "/v1/users/" + post.authorId();
    var requests =
        List.of(
            get("/v1/users/" + post.authorId()),
            get("/v1/posts/" + post.postId()),
            get("/v1/feed?limit=50"),
            get("/v1/notifications?limit=20"),
            post("/v1/posts/" + post.postId() + "/like", ""),
            post(user + "/follow", ""),
            post("/v1/posts", "{\"text\":\"%s\"}".formatted(TEXT)));
    for (var request : requests) {
      var response =
          http.send(
              request.header("Authorization", "Bearer " + token).timeout(PATIENCE).build(),
              BodyHandlers.ofString());
      if (response.statusCode() >= FIRST_ERROR) {
        throw new IllegalStateException(
            "%s: %d %s".formatted(response.uri(), response.statusCode(), response.body()));
      }
    }
    return requests.size();
  }

  private HttpRequest.Builder get(String path) {
    return HttpRequest.newBuilder(api.resolve(path)).header("Accept", "application/json");
  }

  private HttpRequest.Builder post(String path, String body) {
    var request = get(path);
    return body.isEmpty()
        ? request.POST(BodyPublishers.noBody())
        : request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
  }

  private String token(String userId) throws JOSEException {
    var claims =
        new JWTClaimsSet.Builder()
            .subject(userId)
            .issuer("https://rehearsal.invalid")
            .claim("client_id", "rehearsal")
            .claim("token_use", "access")
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(Duration.ofHours(12))))
            .build();
    var header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build();
    var token = new SignedJWT(header, claims);
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }
}
