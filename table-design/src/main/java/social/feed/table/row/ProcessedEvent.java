package social.feed.table.row;

/**
 * The proof that an effect was applied, or the claim of a dead letter that it is still to be:
 * {@code EVT#<name> / META}, written and deleted in one transaction with what it speaks of.
 *
 * @param name the effect and the change that caused it
 * @param expiresAt epoch second, later than the stream or a dead letter can bring the change again
 */
public record ProcessedEvent(String name, long expiresAt) implements Row {
  public static Key key(String name) {
    return new Key(Keys.effectMark(name), Keys.META);
  }

  @Override
  public Key key() {
    return key(name);
  }
}
