package social.feed.api.edge.security;

import java.util.regex.Pattern;

/** The form of a user id, which is the subject of the user's tokens (table.md, “Conventions”). */
public final class UserIds {
  /** The pattern, for constraints of path variables. */
  public static final String PATTERN = "^[A-Za-z0-9_-]{1,64}$";

  /**
   * The pattern of ids that tokens can have. The words that stand in the place of an id in a path
   * are excluded, since routes would reach another account, or none.
   */
  static final String OF_TOKENS = "^(?!(?:me|by-handle)$)[A-Za-z0-9_-]{1,64}$";

  /** {@link #OF_TOKENS} in words. */
  static final String RULE_OF_TOKENS =
      "must have 1 to 64 letters, digits, '-' and '_', and must not be 'me' or 'by-handle'";

  private static final Pattern WHOLE = Pattern.compile(PATTERN);
  private static final Pattern WHOLE_OF_TOKENS = Pattern.compile(OF_TOKENS);

  private UserIds() {}

  /** Returns whether the id can be the subject of a token. */
  static boolean canBeSubject(String id) {
    return WHOLE_OF_TOKENS.matcher(id).matches();
  }

  /** Returns whether the id is a word that stands in the place of an id in a path. */
  static boolean isReserved(String id) {
    return WHOLE.matcher(id).matches() && !canBeSubject(id);
  }
}
