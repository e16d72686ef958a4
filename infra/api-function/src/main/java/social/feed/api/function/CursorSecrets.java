package social.feed.api.function;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Reads the secrets that sign cursors when the function is created. A function has its variables in
 * plain text, so they name the secret and do not contain it. Lambda creates the function again when
 * it renews the snapshot of a version, so a version may read a newer secret later.
 */
final class CursorSecrets {
  /** The ARN of the secret; absent where the settings contain the secret itself. */
  static final String ARN = "FEED_FUNCTION_CURSOR_SECRET_ARN";

  /** The stage of the version that signs, {@code AWSCURRENT} by default. */
  static final String SIGNS = "FEED_FUNCTION_CURSOR_SIGNS";

  /** The stage of another version that is accepted; none by default. */
  static final String ACCEPTS = "FEED_FUNCTION_CURSOR_ACCEPTS";

  private CursorSecrets() {}

  /** Returns the settings of the secrets that the variables name. */
  static Map<String, Object> read(Map<String, String> variables) {
    String arn = variables.get(ARN);
    if (arn == null) {
      return Map.of();
    }
    Map<String, Object> settings = new HashMap<>();
    try (SecretsManagerClient client =
        SecretsManagerClient.builder().httpClientBuilder(Apache5HttpClient.builder()).build()) {
      String signs = Objects.requireNonNullElse(variables.get(SIGNS), "AWSCURRENT");
      settings.put("feed.cursor.secret", secret(client, arn, signs));
      String accepts = variables.get(ACCEPTS);
      if (accepts != null) {
        settings.put("feed.cursor.other-secret", secret(client, arn, accepts));
      }
    }
    return settings;
  }

  private static String secret(SecretsManagerClient client, String arn, String versionStage) {
    return client
        .getSecretValue(request -> request.secretId(arn).versionStage(versionStage))
        .secretString();
  }
}
