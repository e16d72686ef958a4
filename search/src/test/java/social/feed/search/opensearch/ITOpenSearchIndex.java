package social.feed.search.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.SearchIndexContract;
import social.feed.search.SearchTimeoutException;
import social.feed.testkit.OpenSearchServer;

/** The contract on a real server, and what several processes do to one index. */
class ITOpenSearchIndex extends SearchIndexContract {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static OpenSearchServer server;

  @BeforeAll
  static void start(@TempDir Path folder) {
    server = OpenSearchServer.start(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static SearchIndex opened(String name, InstantSource clock) throws IOException {
    return OpenSearchIndex.at(server.url(), name, clock, LIMIT);
  }

  @Override
  protected SearchIndex opened(InstantSource clock) throws IOException {
    return opened("test" + NAMES.incrementAndGet(), clock);
  }

  @Test
  void index_ofTwoProcesses_isOne() throws IOException {
    try (var one = opened("shared", InstantSource.fixed(NOW));
        var other = opened("shared", InstantSource.fixed(NOW))) {
      one.putPost(post("p", "a", "tea"), "2");
      other.putPost(post("p", "a", "coffee"), "1");
      other.refresh();

      assertThat(ids(one, PostQuery.of("tea"))).containsExactly("p");
      assertThat(ids(other, PostQuery.of("tea"))).containsExactly("p");
    }
  }

  @Test
  void writers_atTheSameTime_endWithTheLastVersion() throws Exception {
    try (var index = opened("raced", InstantSource.fixed(NOW));
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

  /** A stand-in says what a server says when it ends a search, or when a part of it fails. */
  @Test
  void partOfAResult_isAFailure() throws IOException {
    for (var answer : List.of("{\"timed_out\":true}", "{\"_shards\":{\"failed\":1}}")) {
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
        assertThatIOException().isThrownBy(() -> index.findAccounts("tea", 1));
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
