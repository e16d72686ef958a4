package social.feed.api.http;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import social.feed.search.IndexedAccount;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;

/**
 * Gives each server of the tests an index of its own, unless a setting turns it off, or makes it
 * too slow.
 */
@Factory
@Requires(property = "feed.test.search", notEquals = "off")
@Requires(missingProperty = "feed.search.url")
final class TestSearchIndex {
  @Bean(preDestroy = "close")
  @Singleton
  SearchIndex index(@Value("${feed.test.search:on}") String search) throws IOException {
    if (!search.equals("slow")) {
      return LuceneIndex.inMemory(InstantSource.system(), Duration.ofMinutes(1));
    }
    SearchIndex index = LuceneIndex.inMemory(InstantSource.system(), Duration.ZERO);
    index.putAccount(new IndexedAccount("x", "x", "x"), "1");
    index.refresh();
    return index;
  }
}
