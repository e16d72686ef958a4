package social.feed.table.row;

import java.time.Instant;

/**
 * A home feed entry as GSI3 shows it.
 *
 * @param postId the post
 * @param authorId who wrote it
 * @param createdAt the post's own time
 * @param kept shown though the reader no longer follows the author
 */
public record FeedRef(String postId, String authorId, Instant createdAt, boolean kept) {}
