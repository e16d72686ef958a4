package social.feed.table.graph;

/**
 * How two accounts stand to each other.
 *
 * @param following the first follows the second
 * @param followedBy the second follows the first
 */
public record Relationship(boolean following, boolean followedBy) {
  /** Both follow each other. */
  public boolean mutual() {
    return following && followedBy;
  }
}
