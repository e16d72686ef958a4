package social.feed.table.row;

import java.time.Instant;

/**
 * A follow edge as read from GSI_FOL and GSI_FOLLOWING.
 *
 * @param followerId the account that follows
 * @param followeeId the account that is followed
 * @param createdAt when the follow began
 */
public record FollowRef(String followerId, String followeeId, Instant createdAt) {}
