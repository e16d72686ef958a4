package social.feed.search.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.IndexedAccount;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.SearchIndexContract;
import social.feed.search.SearchTimeoutException;
import social.feed.testkit.LongRunning;

/** The contract on a real server, and what several processes do to one index. */
@LongRunning
class ITOpenSearchIndex extends SearchIndexContract {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static SearchIndex opened(String name, InstantSource clock) throws IOException {
    return OpenSearchIndex.at(SharedServer.url(), name, clock, LIMIT);
  }

  @Override
  protected SearchIndex opened(InstantSource clock) throws IOException {
    return opened(SharedServer.newName(), clock);
  }

  @Test
  void index_ofTwoProcesses_isOne() throws IOException {
    var name = SharedServer.newName();
    try (var one = opened(name, InstantSource.fixed(NOW));
        var other = opened(name, InstantSource.fixed(NOW))) {
      one.putPost(post("p", "a", "tea"), "2");
      other.putPost(post("p", "a", "coffee"), "1");
      other.refresh();

      assertThat(ids(one, PostQuery.of("tea"))).containsExactly("p");
      assertThat(ids(other, PostQuery.of("tea"))).containsExactly("p");
    }
  }

  @Test
  void writers_atTheSameTime_endWithTheLastVersion() throws Exception {
    try (var index = opened(InstantSource.fixed(NOW));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Boolean>> writes =
          IntStream.rangeClosed(10, 17)
              .<Callable<Boolean>>mapToObj(
                  i ->
                      () -> {
                        index.putPost(post("p", "a", "text" + i), "" + i);
                        return true;
                      })
              .toList();
      for (var done : threads.invokeAll(writes)) {
        assertThat(done.get()).isTrue();
      }
      assertThat(index.states(EntryKind.POST, List.of("p")))
          .extracting(IndexState::version)
          .containsExactly("17");
      index.refresh();
      assertThat(ids(index, PostQuery.of("text17"))).containsExactly("p");
    }
  }

  /**
   * Who deletes the index of a running platform finds no empty one there, which a server makes for
   * a write by itself, and which would find nothing.
   */
  @Test
  void index_thatIsDeletedWhileItIsUsed_isNotCreatedByAWrite() throws Exception {
    var name = SharedServer.newName();
    try (var index = opened(name, InstantSource.fixed(NOW))) {
      index.putPost(post("kept", "a", "tea"), "1");
      index.putAccount(new IndexedAccount("u", "ada", "Ada"), "1");
      assertThat(sent("DELETE", name + "-posts-1")).isEqualTo(200);

      List<Callable<?>> calls =
          List.of(
              () -> write(index, "new", "1"),
              () -> write(index, "kept", "2"),
              () -> index.replace(post("kept", "a", "coffee"), SearchIndex.NO_VERSION),
              () -> index.findPosts(PostQuery.of("tea"), null, 1),
              () -> index.states(EntryKind.POST, List.of("kept")),
              () -> index.statesAfter(EntryKind.POST, "", 1));
      for (var call : calls) {
        assertThatIOException()
            .isThrownBy(call::call)
            .withMessageContaining("answered 404")
            .withMessageContaining("Run ./feed reindex");
      }
      assertThat(sent("HEAD", name + "-posts")).isEqualTo(404);
      assertThat(sent("HEAD", name + "-posts-1")).isEqualTo(404);

      try (var again = opened(name, InstantSource.fixed(NOW))) {
        again.putPost(post("kept", "a", "coffee tea"), "1");
        again.refresh();
      }
      assertThat(ids(index, PostQuery.of("\"coffee tea\""))).containsExactly("kept");
      assertThat(accounts(index, "ada", 1)).containsExactly("u");
    }
  }

  private static boolean write(SearchIndex index, String id, String version) throws IOException {
    index.putPost(post(id, "a", "tea"), version);
    return true;
  }

  private static int sent(String method, String path) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(SharedServer.url().resolve("/" + path))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  /** What the server made by itself cannot be used, and says so. */
  @Test
  void index_withoutTheMapping_isRefused() throws Exception {
    var name = SharedServer.newName();
    assertThat(sent("PUT", name + "-posts")).isEqualTo(200);
    assertThatIOException()
        .isThrownBy(() -> opened(name, InstantSource.fixed(NOW)))
        .withMessageContaining(name + "-posts")
        .withMessageContaining("Delete that index");
  }

  /** A stand-in says what a server says when it ends a search, or when a part of it fails. */
  @Test
  void partOfAResult_isAFailure() throws IOException {
    for (var answer : List.of("{\"timed_out\":true}", "{\"_shards\":{\"total\":2,\"failed\":1}}")) {
      var standIn =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      standIn.createContext(
          "/",
          exchange -> {
            boolean isHead = exchange.getRequestMethod().equals("HEAD");
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, isHead ? -1 : answer.length());
            if (!isHead) {
              exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
            }
            exchange.close();
          });
      standIn.start();
      var url = URI.create("http://127.0.0.1:" + standIn.getAddress().getPort());
      try (var index = OpenSearchIndex.at(url, "x", InstantSource.system(), LIMIT)) {
        assertThatIOException()
            .isThrownBy(() -> index.findPosts(PostQuery.of("tea"), null, 1))
            .satisfies(
                failure ->
                    assertThat(failure instanceof SearchTimeoutException)
                        .isEqualTo(answer.contains("timed_out")));
        assertThatIOException().isThrownBy(() -> index.findAccounts("tea", null, 1));
      } finally {
        standIn.stop(0);
      }
    }
  }

  /** Otherwise a process would take the index for made, and all its writes would fail. */
  @Test
  void refusalWhileTheIndexIsMade_isAFailure() throws IOException {
    for (int head : List.of(404, 403, 503)) {
      var standIn =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      standIn.createContext(
          "/",
          exchange -> {
            boolean isHead = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(isHead ? head : 503, -1);
            exchange.close();
          });
      standIn.start();
      var url = URI.create("http://127.0.0.1:" + standIn.getAddress().getPort());
      try {
        assertThatIOException()
            .isThrownBy(() -> OpenSearchIndex.at(url, "x", InstantSource.system(), LIMIT));
      } finally {
        standIn.stop(0);
      }
    }
  }

  @Test
  void server_thatDoesNotAnswer_isReported() {
    var nowhere = URI.create("http://127.0.0.1:1");
    assertThatIOException()
        .isThrownBy(() -> OpenSearchIndex.at(nowhere, "x", InstantSource.system(), LIMIT));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> OpenSearchIndex.at(URI.create("nowhere"), "x", InstantSource.system(), LIMIT));
  }
}
