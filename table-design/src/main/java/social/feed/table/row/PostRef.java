package social.feed.table.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A post as read from GSI1 and GSI2.
 *
 * @param postId the post
 * @param authorId the account that wrote it
 * @param createdAt when it was written
 * @param visibility the readers who may see it
 * @param feedShards number of partitions of its feed entries
 * @param delivery how it reaches followers; absent in GSI2, whose readers do not use it
 */
public record PostRef(
    String postId,
    String authorId,
    Instant createdAt,
    Visibility visibility,
    int feedShards,
    @Nullable FanOutMode delivery) {}
