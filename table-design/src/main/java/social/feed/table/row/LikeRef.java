package social.feed.table.row;

import java.time.Instant;

/**
 * A like as read from GSI1.
 *
 * @param userId the account that likes
 * @param createdAt when the like was written
 */
public record LikeRef(String userId, Instant createdAt) {}
