package social.feed.api.edge.security;

import java.util.regex.Pattern;

/** The form of a user id, which is the subject of the user's tokens (table.md, “Conventions”). */
public final class UserIds {
  /** The pattern, for constraints of path variables. */
  public static final String PATTERN = "^[A-Za-z0-9_-]{1,64}$";

  private static final Pattern WHOLE = Pattern.compile(PATTERN);

  private UserIds() {}

  /** Returns whether the id can be the subject of a token. */
  public static boolean isWellFormed(String id) {
    return WHOLE.matcher(id).matches();
  }
}
