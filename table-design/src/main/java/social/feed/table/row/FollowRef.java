package social.feed.table.row;

import java.time.Instant;

/**
 * A follow edge as GSI_FOL and GSI_FOLLOWING show it.
 *
 * @param followerId who follows
 * @param followeeId who is followed
 * @param createdAt since when
 */
public record FollowRef(String followerId, String followeeId, Instant createdAt) {}
