package social.feed.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Answer;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;
import social.feed.testkit.Polling;

/** Searches that hang in the index, which all callers share. */
class ITSearchPlaces {
  private static final String SEARCH = "/v1/search/accounts?q=";
  private static final int AT_ONCE = 6;

  private final AtomicInteger begun = new AtomicInteger();
  private final CountDownLatch goOn = new CountDownLatch(1);

  @Test
  void caller_hasSixSearchesAtOnce_andOthersHaveTheirOwn()
      throws IOException, InterruptedException, ExecutionException {
    try (var found = LuceneIndex.inMemory(InstantSource.system(), Duration.ofMinutes(1));
        var server = FeedServer.startWith(Map.of("feed.test.search", "off"), hanging(found));
        var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var ann = server.as(server.world().user("ann"));
      var bob = server.as(server.world().user("bob"));
      var first =
          Stream.generate(() -> pool.submit(() -> ann.get(SEARCH + "hang")))
              .limit(AT_ONCE)
              .toList();
      Polling.until(() -> begun.get() == AT_ONCE);

      Answer refused = ann.get(SEARCH + "x");
      Answer other = bob.get(SEARCH + "x");
      goOn.countDown();

      Expect.problem(429, "rate_limited", refused);
      assertThat(refused.header("Retry-After")).hasValue("1");
      Expect.status(200, other);
      for (var each : first) {
        Expect.status(200, each.get());
      }
      Expect.status(200, ann.get(SEARCH + "x"));
    }
  }

  /** The real index, in which a search for one word hangs. */
  private SearchIndex hanging(SearchIndex found) {
    return (SearchIndex)
        Proxy.newProxyInstance(
            SearchIndex.class.getClassLoader(),
            new Class<?>[] {SearchIndex.class},
            (_, method, arguments) -> {
              if (method.getName().equals("findAccounts") && arguments[0].equals("hang")) {
                begun.incrementAndGet();
                goOn.await();
              }
              try {
                return method.invoke(found, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
