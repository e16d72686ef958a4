package social.feed.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SearchConfigurationTest {
  @Test
  void text_hasNoPassword() {
    var configuration = new SearchConfiguration("https://feed:hidden@search.example", null);
    assertThat(configuration).asString().doesNotContain("hidden");
    assertThat(configuration.address()).hasToString("https://search.example");
  }
}
