package social.feed.api.edge.security;

import java.util.regex.Pattern;

/**
 * The form of a user id, which is the subject of the user's tokens (table.md, “Conventions”). Ids
 * of other resources have the same form.
 */
public final class UserIds {
  /** An id anywhere in a text, as a part of a pattern. */
  public static final String ID = "[A-Za-z0-9_-]{1,64}";

  /** The pattern, for constraints of path variables. */
  public static final String PATTERN = "^" + ID + "$";

  /**
   * The pattern of ids that tokens can have. The words that stand in the place of an id in a path
   * are excluded, since routes would reach another account, or none.
   */
  static final String OF_TOKENS = "^(?!(?:me|by-handle)$)" + ID + "$";

  /** {@link #OF_TOKENS} in words. */
  public static final String RULE_OF_TOKENS =
      "must have 1 to 64 letters, digits, '-' and '_', and must not be 'me' or 'by-handle'";

  private static final Pattern WHOLE = Pattern.compile(PATTERN);
  private static final Pattern WHOLE_OF_TOKENS = Pattern.compile(OF_TOKENS);

  private UserIds() {}

  /** Returns whether the id can be the subject of a token. */
  public static boolean canBeSubject(String id) {
    return WHOLE_OF_TOKENS.matcher(id).matches();
  }

  /** Returns whether the id is a word that stands in the place of an id in a path. */
  static boolean isReserved(String id) {
    return WHOLE.matcher(id).matches() && !canBeSubject(id);
  }
}
