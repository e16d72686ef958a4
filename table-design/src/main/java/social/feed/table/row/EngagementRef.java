package social.feed.table.row;

import java.time.Instant;

/**
 * A like of an account, as its sort key in GSI2 names it.
 *
 * @param postId the post
 * @param createdAt when the like was written
 */
public record EngagementRef(String postId, Instant createdAt) {
  /** Returns the like at a sort key in GSI2. */
  public static EngagementRef at(String sort) {
    return new EngagementRef(Keys.engagedPost(sort), Keys.timeOf(sort));
  }
}
