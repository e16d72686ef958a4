package social.feed.api.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The key of a distribution is read from the secret that a variable names. */
class MediaKeyTest {
  private static final String KEY = "-----BEGIN PRIVATE KEY-----";
  private static final String ENDPOINT = "aws.endpointUrlSecretsManager";
  private static final List<String> CREDENTIALS =
      List.of("aws.accessKeyId", "aws.secretAccessKey", "aws.region");

  private SecretsStandIn secrets;

  @BeforeEach
  void start() throws IOException {
    secrets = new SecretsStandIn(Map.of("AWSCURRENT", KEY));
    System.setProperty(ENDPOINT, secrets.address());
    CREDENTIALS.forEach(name -> System.setProperty(name, "us-east-1"));
  }

  @AfterEach
  void stop() {
    System.clearProperty(ENDPOINT);
    CREDENTIALS.forEach(System::clearProperty);
    secrets.close();
  }

  @Test
  void secretThatAVariableNames_isTheSetting() {
    String arn = "arn:aws:secretsmanager:us-east-1:000000000000:secret:images";

    assertThat(MediaKey.read(Map.of(MediaKey.ARN, arn)))
        .isEqualTo(Map.of("feed.media.distribution.private-key", KEY));
  }

  @Test
  void withoutAVariable_nothingIsRead() {
    assertThat(MediaKey.read(Map.of())).isEmpty();
  }
}
