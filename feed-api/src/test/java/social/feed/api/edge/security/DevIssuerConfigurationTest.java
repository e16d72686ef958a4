package social.feed.api.edge.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DevIssuerConfigurationTest {

  @Test
  void configuration_inText_keepsTheSecret() {
    var configuration = new DevIssuerConfiguration(true, Tokens.DEV_SECRET, Duration.ofHours(1));

    assertThat(configuration.toString()).doesNotContain(Tokens.DEV_SECRET);
  }
}
