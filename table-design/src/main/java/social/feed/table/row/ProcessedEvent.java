package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import social.feed.table.kernel.declaration.Retention;

/**
 * The record that an effect was applied, or that a dead letter's effect is still pending: {@code
 * EVT#<name> / META}. It is written and deleted in one transaction with the row that the effect
 * changes.
 *
 * @param name the effect and the change that caused it
 * @param expiresAt epoch second, later than the stream or a dead letter can deliver the change
 *     again
 */
@StoredAs(RowKind.EFFECT_MARK)
public record ProcessedEvent(String name, long expiresAt) implements Row {
  /** The name of a dead letter's pending count holds the key of the account's row. */
  private static final Pattern ACCOUNT = Pattern.compile(Keys.USERS + "([^#]+)");

  /** The creation of a post, in the name of its event. */
  public static final String CREATED = "created";

  /** The deletion of a post, in the name of its event. */
  public static final String DELETED = "deleted";

  /** Returns an event of a post, which is processed now. */
  public static ProcessedEvent ofPost(String postId, String event, Instant now) {
    return new ProcessedEvent(
        nameOfPost(postId, event), now.plus(Retention.PROCESSED_EVENTS).getEpochSecond());
  }

  /** Returns the name of an event of a post, by which the post is counted. */
  public static String nameOfPost(String postId, String event) {
    return Keys.post(postId) + "#" + event;
  }

  public static Key key(String name) {
    return new Key(Keys.effectMark(name), Keys.META);
  }

  @Override
  public Key key() {
    return key(name);
  }

  @Override
  public Set<String> referencedAccounts() {
    return ACCOUNT
        .matcher(name)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<Key> parents() {
    // The row expires, and may outlive the rows of its event.
    return List.of();
  }
}
