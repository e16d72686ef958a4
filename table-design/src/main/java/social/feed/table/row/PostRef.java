package social.feed.table.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A post as GSI1 and GSI2 show it.
 *
 * @param postId the post
 * @param authorId who wrote it
 * @param createdAt when
 * @param visibility who may read it
 * @param feedShards over how many partitions its feed entries are spread
 * @param delivery how it reaches followers; absent in GSI2, where nobody asks
 */
public record PostRef(
    String postId,
    String authorId,
    Instant createdAt,
    Visibility visibility,
    int feedShards,
    @Nullable FanOutMode delivery) {}
