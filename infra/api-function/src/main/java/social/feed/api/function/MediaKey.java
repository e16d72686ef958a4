package social.feed.api.function;

import java.util.Map;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Reads the key that signs the addresses of a distribution, when the function is created. Its
 * variables name the secret and do not contain it, as with {@link CursorSecrets}.
 */
final class MediaKey {
  /** The ARN of the secret; absent where there is no distribution. */
  static final String ARN = "FEED_FUNCTION_MEDIA_KEY_SECRET_ARN";

  /** The setting that the secret is the value of. */
  static final String SETTING = "feed.media.distribution.private-key";

  private MediaKey() {}

  /** Returns the setting of the secret that the variable names. */
  static Map<String, Object> read(Map<String, String> variables) {
    String arn = variables.get(ARN);
    if (arn == null) {
      return Map.of();
    }
    try (SecretsManagerClient client =
        SecretsManagerClient.builder().httpClientBuilder(Apache5HttpClient.builder()).build()) {
      return Map.of(
          SETTING,
          client
              .getSecretValue(request -> request.secretId(arn).versionStage("AWSCURRENT"))
              .secretString());
    }
  }
}
