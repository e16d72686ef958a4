package social.feed.streams.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micronaut.context.ApplicationContext;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import social.feed.search.opensearch.ServerAddress;

class SearchSettingsTest {
  /** A function binds its settings at the start, and logs what fails then. */
  @Test
  void wrongAddress_isRefusedWithoutItsPassword() {
    Map<String, Object> settings =
        Map.of(
            "feed.multiplexer.dead-letter-queue-url",
            "http://localhost:1/dead-letters",
            SearchSettings.URL,
            "https://feed:hidden word@search.example");
    try (var context = ApplicationContext.builder(settings).deduceEnvironment(false).start()) {
      var bound = context.getBean(SearchSettings.class);
      assertThat(bound).asString().doesNotContain("hidden");
      assertThatIllegalArgumentException()
          .isThrownBy(bound::address)
          .satisfies(
              failure ->
                  assertThat(Throwables.getStackTrace(failure))
                      .contains("feed.search.url is no URL")
                      .doesNotContain("hidden"));
    }
  }

  @Test
  void address_isThatOfTheSetting() {
    var url = "https://feed:hidden@search.example:9200/";
    assertThat(new SearchSettings(url, null).address())
        .map(ServerAddress::toString)
        .isEqualTo(Optional.of("https://search.example:9200"));
    assertThat(new SearchSettings(null, null).address()).isEmpty();
  }
}
