package social.feed.api.http;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.InstantSource;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;

/** Gives each server of the tests an index of its own, unless a setting turns it off. */
@Factory
@Requires(property = "feed.test.search", notEquals = "off")
final class TestSearchIndex {
  @Bean(preDestroy = "close")
  @Singleton
  SearchIndex index() throws IOException {
    return LuceneIndex.inMemory(InstantSource.system());
  }
}
