package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.search.EntryKind;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.opensearch.OpenSearchIndex;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import social.feed.testkit.OpenSearchServer;

/** The commands that compare and correct an index, with one on a real server of OpenSearch. */
@LongRunning
class ITSearchServerCommands {
  private static final Instant THEN = Instant.parse("2026-03-01T12:00:00Z");

  /** Two posts of each of three accounts. */
  private static final int ENTRIES = 9;

  /** Longer than a first search takes on a busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** For runs that find a difference, which no event corrects. */
  private static final String AT_ONCE = "--index-settle-seconds=0";

  private static OpenSearchServer server;

  private final VerifyWorld world = new VerifyWorld();

  @BeforeAll
  static void start(@TempDir Path folder) {
    server = OpenSearchServer.start(folder);
  }

  @AfterAll
  static void end() {
    server.close();
  }

  @BeforeEach
  void load(@TempDir Path folder) throws Exception {
    world.load(folder, "1 2\n2 1\n3 1\n", 2, 100);
    deleteIndexes();
  }

  @AfterEach
  void stop() {
    world.close();
  }

  private static void deleteIndexes() throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      for (var index : List.of("feed-posts-1", "feed-accounts-1")) {
        var request = HttpRequest.newBuilder(server.url().resolve("/" + index)).DELETE().build();
        assertThat(http.send(request, BodyHandlers.discarding()).statusCode()).isIn(200, 404);
      }
    }
  }

  private static SearchIndex opened() throws IOException {
    return OpenSearchIndex.at(server.url(), OpenSearchIndex.NAME, InstantSource.system(), LIMIT);
  }

  private CommandRun run(URI search, String... arguments) {
    var where = Stream.of("--search-url", search.toString());
    return CommandRun.on(
        world.platform(), Stream.concat(Stream.of(arguments), where).toArray(String[]::new));
  }

  private CommandRun run(String... arguments) {
    return run(server.url(), arguments);
  }

  private static List<String> found(SearchIndex index) throws IOException {
    return index.findPosts(PostQuery.of(""), null, SearchIndex.MAX_HITS).stream()
        .map(PostHit::id)
        .toList();
  }

  private static int entries() throws IOException {
    try (var index = opened()) {
      return Stream.of(EntryKind.values()).mapToInt(kind -> entries(index, kind)).sum();
    }
  }

  private static int entries(SearchIndex index, EntryKind kind) {
    try {
      return index.statesAfter(kind, "", SearchIndex.MAX_STATES).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void plant(SearchIndex index) throws IOException {
    var version = "9999999999";
    index.deletePost(world.postOf("1").postId(), version);
    index.putPost(post(world.postOf("2").postId(), "2"), version);
    index.putPost(post(TimeOrderedId.named(THEN, "gone"), "1"), version);
    index.putAccount(new IndexedAccount("2", "planted", "Planted"), version);
    index.refresh();
  }

  private static IndexedPost post(String id, String author) {
    return new IndexedPost(id, author, "planted", Set.of(), THEN);
  }

  @Test
  void reindexAndVerify_makeTheIndexEqualToTheTable() throws IOException {
    var filled = run("reindex");
    assertThat(filled.code()).as(filled.err()).isZero();
    assertThat(filled.out()).contains(ENTRIES + " written, 0 removed");
    assertThat(run("verify").code()).isZero();

    try (var index = opened()) {
      assertThat(found(index)).hasSize(6);
      plant(index);
      var different = run("verify", AT_ONCE);
      assertThat(different.code()).isEqualTo(1);
      assertThat(different.out())
          .contains("the index lacks POST#", "the index has another content of USER#2 / META")
          .contains("which is gone or not public");
      var fixed = run("verify", "--fix", AT_ONCE);
      assertThat(fixed.code()).as(fixed.out() + fixed.err()).isZero();
      assertThat(run("verify").code()).isZero();
      index.refresh();
      assertThat(found(index)).hasSize(6).contains(world.postOf("1").postId());
      assertThat(index.findAccounts("planted", null, 10)).isEmpty();
    }
    assertThat(run("reindex").out()).contains("0 written, 0 removed");
  }

  @Test
  void reindex_forgetsOldDeletions() throws IOException {
    assertThat(run("reindex").code()).isZero();
    var gone = List.of(TimeOrderedId.named(THEN, "gone"));
    var longAgo = InstantSource.fixed(Instant.now().minus(Duration.ofDays(365)));
    try (var index = OpenSearchIndex.at(server.url(), OpenSearchIndex.NAME, longAgo, LIMIT)) {
      index.deletePost(gone.getFirst(), "1");
      assertThat(index.states(EntryKind.POST, gone)).hasSize(1);

      assertThat(run("reindex").code()).isZero();

      assertThat(index.states(EntryKind.POST, gone)).isEmpty();
    }
  }

  @Test
  void proof_ofAnErasure_namesWhatTheServerHas() throws IOException {
    assertThat(run("reindex").code()).isZero();
    new Erasures(world.table(), new Users(world.table())).begin("3", Fault.now());
    world.drain();

    // The events of this platform go to its own index.
    var proof = run("erasure", "3", "--prove", AT_ONCE);
    assertThat(proof.code()).isEqualTo(1);
    assertThat(proof.out())
        .contains("the search index has the account 3", "3 entries of the search index");
    assertThat(run("reindex").out()).contains("0 written, 3 removed");
    assertThat(run("erasure", "3", "--prove").out())
        .contains("0 entries of the search index are of the account.");
  }

  /** A server that is lost after some entries were written, as its clients see it. */
  private record Failing(HttpServer front, AtomicInteger left) implements AutoCloseable {
    static Failing after(int writes) throws IOException {
      var front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      var failing = new Failing(front, new AtomicInteger(writes));
      front.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      front.createContext("/", failing::handle);
      front.start();
      return failing;
    }

    URI url() {
      return URI.create("http://127.0.0.1:" + front.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
      try (exchange) {
        var path = exchange.getRequestURI();
        boolean isWrite =
            exchange.getRequestMethod().equals("PUT") && path.getPath().contains("/_doc/");
        if (left.get() <= 0 || (isWrite && left.getAndDecrement() <= 0)) {
          exchange.sendResponseHeaders(502, -1);
          return;
        }
        forward(exchange, server.url().resolve(path.toString()));
      }
    }

    private static void forward(HttpExchange exchange, URI to) throws IOException {
      var body = exchange.getRequestBody().readAllBytes();
      var request =
          HttpRequest.newBuilder(to)
              .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
      Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
          .ifPresent(type -> request.header("Content-Type", type));
      try (var http = HttpClient.newHttpClient()) {
        var response = http.send(request.build(), BodyHandlers.ofByteArray());
        response
            .headers()
            .firstValue("Content-Type")
            .ifPresent(type -> exchange.getResponseHeaders().add("Content-Type", type));
        int length = response.body().length;
        exchange.sendResponseHeaders(response.statusCode(), length == 0 ? -1 : length);
        exchange.getResponseBody().write(response.body());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }

    @Override
    public void close() {
      front.stop(0);
    }
  }

  @Test
  void reindex_thatWasCutOff_isCompletedByTheNextRun() throws Exception {
    for (int writes : List.of(1, 4, ENTRIES - 1)) {
      deleteIndexes();
      try (var failing = Failing.after(writes)) {
        var first = run(failing.url(), "reindex");
        assertThat(first.code()).isEqualTo(2);
        assertThat(first.err()).contains("The search server at " + failing.url());
      }
      assertThat(entries()).isEqualTo(writes);

      var second = run("reindex");
      assertThat(second.code()).as(second.err()).isZero();
      assertThat(second.out()).contains(ENTRIES - writes + " written, 0 removed");
      assertThat(run("verify").code()).isZero();
    }
  }
}
