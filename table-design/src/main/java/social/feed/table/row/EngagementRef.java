package social.feed.table.row;

import java.time.Instant;

/**
 * A like or a comment of an account, as read from GSI2.
 *
 * @param postId the post
 * @param createdAt when the like or comment was written
 */
public record EngagementRef(String postId, Instant createdAt) {}
