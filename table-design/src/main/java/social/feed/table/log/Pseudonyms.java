package social.feed.table.log;

import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.row.Erasure;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;

/**
 * Replaces members and items by hashes in log lines. A hash is the beginning of a SHA-256 without a
 * secret, so an operator who has an id can compute it. The ids of members are random on AWS, and
 * cannot be guessed from a hash. They are visible in the API, so anyone who has logs and ids can
 * match them: a hash is a pseudonym, and not anonymous.
 */
public final class Pseudonyms {
  /** Hexadecimal digits of a hash. */
  private static final int DIGITS = 16;

  private static final Pattern MEMBER =
      Pattern.compile(
          Keys.BEFORE_MEMBERS.stream()
              .map(Pattern::quote)
              .collect(Collectors.joining("|", "\\b(", ")([A-Za-z0-9_-]+)")));

  private Pseudonyms() {}

  /** Returns the hash of a member: the first 16 digits of the SHA-256 of the id. */
  public static String ofMember(String userId) {
    return Erasure.hash(userId).substring(0, DIGITS);
  }

  /**
   * Returns the hash of an item: the first 16 digits of the SHA-256 of both keys, with a line break
   * between them. The API logs it with a write, and the function with the change, so it joins both.
   */
  public static String ofItem(Key item) {
    return Erasure.hash(item.partition() + "\n" + item.sort()).substring(0, DIGITS);
  }

  /** Returns the hashes of items, with spaces between them. */
  public static String ofItems(Collection<Key> items) {
    return items.stream().map(Pseudonyms::ofItem).collect(Collectors.joining(" "));
  }

  /** Returns a text in which hashes replace the members and handles of keys. */
  public static String in(String text) {
    return text.indexOf('#') < 0
        ? text
        : MEMBER.matcher(text).replaceAll(key -> key.group(1) + ofMember(key.group(2)));
  }

  /** Returns the id of the post that an item belongs to, which is no personal data. */
  public static Optional<String> postOf(Key item) {
    return Stream.of(Keys.POSTS, Keys.FANOUTS)
        .filter(prefix -> item.partition().startsWith(prefix))
        .map(prefix -> item.partition().substring(prefix.length()).replaceFirst("#.*", ""))
        .findAny();
  }
}
