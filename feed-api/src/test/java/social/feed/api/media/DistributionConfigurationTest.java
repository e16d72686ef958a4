package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class DistributionConfigurationTest {
  @Test
  void text_hasNoPrivateKey() {
    var url = URI.create("https://images.example");
    assertThat(new DistributionConfiguration(url, "K1", "private"))
        .asString()
        .contains("images.example", "K1")
        .doesNotContain("private");
  }
}
