package social.feed.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.api.http.ServerOnly;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.search.opensearch.OpenSearchIndex;
import social.feed.table.row.Post;
import social.feed.testkit.LongRunning;
import social.feed.testkit.OpenSearchServer;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld.Person;

/** Searches of an API whose settings name a server of OpenSearch. */
@LongRunning
@ServerOnly
class ITSearchServer {
  private static final String URL = "feed.search.url";
  private static final int TRIES = 5;

  private static SearchIndex written(URI url) throws IOException {
    return OpenSearchIndex.at(
        url, OpenSearchIndex.NAME, InstantSource.system(), OpenSearchIndex.LONGEST_SEARCH);
  }

  @Test
  void posts_areFoundOnTheServer(@TempDir Path folder) throws Exception {
    try (var search = OpenSearchServer.start(folder);
        var index = written(search.url());
        var server = FeedServer.start(Map.of(URL, search.url().toString()))) {
      Person ann = server.world().user("ann");
      Post post = ann.posts("some tea");
      index.putPost(
          new IndexedPost(post.postId(), post.authorId(), post.text(), Set.of(), post.createdAt()),
          "1");
      index.refresh();

      awaitSearches(server.as(ann));
      assertInTime(
          () ->
              assertThat(
                      Paged.ids(Expect.status(200, server.as(ann).get("/v1/search/posts?q=tea"))))
                  .containsExactly(post.postId()));

      // Its deletion ends searches, and no write makes an empty one that finds nothing.
      delete(search.url().resolve("/" + OpenSearchIndex.NAME + "-posts-1"));
      assertThatIOException().isThrownBy(() -> index.deletePost(post.postId(), "2"));
      Expect.problem(503, "search_unavailable", server.as(ann).get("/v1/search/posts?q=tea"));
    }
  }

  @Test
  void accounts_inPages_areFoundOnTheServer(@TempDir Path folder) throws Exception {
    try (var search = OpenSearchServer.start(folder);
        var index = written(search.url());
        var server = FeedServer.start(Map.of(URL, search.url().toString()))) {
      Person ann = server.world().user("ann");
      List<String> shown = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        Person person = server.world().user("p%02d".formatted(i));
        index.putAccount(new IndexedAccount(person.id(), "h%02d".formatted(i / 2), "Marlon"), "1");
        if (i % 3 == 0) {
          person.blocks(ann);
        } else {
          shown.add(person.id());
        }
      }
      index.refresh();
      String path = "/v1/search/accounts?q=marlon";

      awaitSearches(server.as(ann));
      assertInTime(() -> Paged.holds(server.as(ann), path, shown));
      var cursor = new AtomicReference<@Nullable String>();
      assertInTime(
          () -> cursor.set(Paged.next(Expect.status(200, server.as(ann).get(path + "&limit=3")))));
      assertThat(cursor.get()).isNotNull();
      for (String id : shown) {
        index.deleteAccount(id, "2");
      }
      index.refresh();
      assertInTime(
          () -> assertThat(Paged.idsAfter(server.as(ann), path, 3, cursor.get())).isEmpty());
    }
  }

  /** On a busy machine, the first search of two processes may take longer than a search may. */
  private static void awaitSearches(Api caller) {
    for (String of : List.of("posts", "accounts")) {
      Polling.until(() -> caller.get("/v1/search/" + of + "?q=nothing").status() == 200);
    }
  }

  /** Repeats an assertion that fails: on a busy machine, a search may end with its limit. */
  private static void assertInTime(Runnable assertion) {
    for (int i = 1; i < TRIES; i++) {
      try {
        assertion.run();
        return;
      } catch (AssertionError _) {
        // The last try reports it.
      }
    }
    assertion.run();
  }

  private static void delete(URI index) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(index).DELETE().build();
      assertThat(http.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
    }
  }

  /** It may come back, so the API starts without it. */
  @Test
  void server_thatIsAway_failsSearchesOnly() {
    try (var server = FeedServer.start(Map.of(URL, "http://127.0.0.1:1"))) {
      Person ann = server.world().user("ann");
      Expect.problem(503, "search_unavailable", server.as(ann).get("/v1/search/accounts?q=bob"));
      Expect.status(200, server.as(ann).get("/v1/feed"));
    }
  }

  /** The system accepts its connections, and no one reads them. */
  @Test
  void server_thatHangs_failsSearchesAfterTheirLimit() throws Exception {
    try (var hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var server = FeedServer.start(Map.of(URL, "http://127.0.0.1:" + hung.getLocalPort()))) {
      Person ann = server.world().user("ann");
      for (String path : List.of("/v1/search/posts?q=tea", "/v1/search/accounts?q=bob")) {
        assertInTime(() -> assertFailsWithItsLimit(server.as(ann), path));
      }
      Expect.status(200, server.as(ann).get("/v1/feed"));
    }
  }

  /** Other calls of the server have ten seconds. */
  private static void assertFailsWithItsLimit(Api caller, String path) {
    long start = System.nanoTime();

    Answer answer = caller.get(path);

    Duration time = Duration.ofNanos(System.nanoTime() - start);
    Expect.problem(503, "search_unavailable", answer);
    assertThat(answer.header("Retry-After")).isPresent();
    assertThat(time)
        .isBetween(OpenSearchIndex.LONGEST_SEARCH, OpenSearchIndex.LONGEST_SEARCH.multipliedBy(4));
  }

  @Test
  void address_thatCannotBeUsed_failsTheStart() {
    for (var settings :
        List.of(
            Map.<String, Object>of(URL, "search.example.com"),
            Map.<String, Object>of(
                URL, "http://search.example.com", "feed.search.region", "eu-central-1"))) {
      assertThatException().isThrownBy(() -> FeedServer.start(settings).close());
    }
  }
}
