package social.feed.table.row;

import java.time.Instant;

/**
 * A post as GSI1 and GSI2 show it.
 *
 * @param postId the post
 * @param authorId who wrote it
 * @param createdAt when
 * @param visibility who may read it
 * @param feedShards over how many partitions its feed entries are spread
 */
public record PostRef(
    String postId, String authorId, Instant createdAt, Visibility visibility, int feedShards) {}
