package social.feed.table.row;

import java.time.Instant;

/**
 * A like as GSI1 shows it.
 *
 * @param userId who likes
 * @param createdAt since when
 */
public record LikeRef(String userId, Instant createdAt) {}
