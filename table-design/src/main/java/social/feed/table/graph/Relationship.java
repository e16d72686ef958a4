package social.feed.table.graph;

/**
 * The relationship of two accounts.
 *
 * @param following the first follows the second
 * @param followedBy the second follows the first
 * @param special the first follows the second specially
 */
public record Relationship(boolean following, boolean followedBy, boolean special) {
  /** Both follow each other. */
  public boolean mutual() {
    return following && followedBy;
  }
}
