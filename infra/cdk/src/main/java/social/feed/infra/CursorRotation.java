package social.feed.infra;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.services.ecs.Secret;
import software.amazon.awscdk.services.ecs.SecretVersionInfo;
import software.amazon.awscdk.services.secretsmanager.ISecret;

/**
 * A step in which the secret of cursors is replaced. A deployment runs new tasks next to the old
 * ones, so each step accepts the cursors of the step before it and of the one after it.
 */
enum CursorRotation {
  /** The current secret only. */
  NONE(null, null),

  /** The current secret signs, and cursors of the pending one are accepted. */
  ACCEPT("AWSCURRENT", "AWSPENDING"),

  /** The pending secret signs, and cursors of the current one are accepted. */
  SIGN("AWSPENDING", "AWSCURRENT");

  static final String SECRET = "FEED_CURSOR_SECRET";
  static final String OTHER_SECRET = "FEED_CURSOR_OTHER_SECRET";

  private final @Nullable String signs;
  private final @Nullable String accepted;

  CursorRotation(@Nullable String signs, @Nullable String accepted) {
    this.signs = signs;
    this.accepted = accepted;
  }

  /**
   * Returns the step with this name.
   *
   * @throws MissingInputException if there is no such step
   */
  static CursorRotation named(String name) {
    return Arrays.stream(values())
        .filter(step -> step.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new MissingInputException(
                    "%s must be one of %s, not %s"
                        .formatted(ApiInputs.CURSOR_ROTATION, all(), name)));
  }

  private static String all() {
    return Arrays.stream(values()).map(CursorRotation::label).collect(Collectors.joining(", "));
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the variables of a task, by the stages of the versions of the secret. */
  Map<String, Secret> variables(ISecret secret) {
    var variables = new TreeMap<String, Secret>();
    variables.put(SECRET, signs == null ? Secret.fromSecretsManager(secret) : at(secret, signs));
    if (accepted != null) {
      variables.put(OTHER_SECRET, at(secret, accepted));
    }
    return variables;
  }

  /** Returns the variables of a function, which name the stages and hold no secret. */
  Map<String, String> stages() {
    var variables = new TreeMap<String, String>();
    if (signs != null) {
      variables.put("FEED_FUNCTION_CURSOR_SIGNS", signs);
    }
    if (accepted != null) {
      variables.put("FEED_FUNCTION_CURSOR_ACCEPTS", accepted);
    }
    return variables;
  }

  private static Secret at(ISecret secret, String versionStage) {
    return Secret.fromSecretsManagerVersion(
        secret, SecretVersionInfo.builder().versionStage(versionStage).build());
  }
}
