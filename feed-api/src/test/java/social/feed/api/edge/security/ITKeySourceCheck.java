package social.feed.api.edge.security;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ITKeySourceCheck {

  @Test
  void start_withoutAnyKeys_isRefused() {
    assertThatThrownBy(
            () ->
                ApplicationContext.run(Map.of("feed.dev-issuer.enabled", "false"), "test").close())
        .rootCause()
        .hasMessageContaining("feed.auth.jwks-url");
  }

  /** A deployed stage names its issuer, so one more setting cannot open all its accounts. */
  @Test
  void start_withTheDevelopmentIssuerNextToAnother_isRefused() {
    assertThatThrownBy(
            () ->
                ApplicationContext.run(Map.of("feed.auth.jwks-url", "http://127.0.0.1:1/"), "test")
                    .close())
        .rootCause()
        .hasMessageContaining("feed.dev-issuer.enabled excludes feed.auth.jwks-url");
  }

  @Test
  void start_withShortSecret_isRefused() {
    assertThatThrownBy(
            () -> ApplicationContext.run(Map.of("feed.dev-issuer.secret", "short"), "test").close())
        .rootCause()
        .hasMessageContaining("at least 32 bytes");
  }
}
