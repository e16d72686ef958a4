package social.feed.api.edge.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SharedCacheConfigurationTest {
  @Test
  void text_hasNoPassword() {
    var url = "rediss://feed:hidden@cache.example";
    assertThat(new SharedCacheConfiguration(url, Duration.ofMillis(100)))
        .asString()
        .contains("0.1S")
        .doesNotContain("hidden");
  }
}
