package social.feed.table.row;

import org.jspecify.annotations.Nullable;

/**
 * An item as read from an index where its sort key says everything: a like or a comment in GSI2, a
 * file in GSI1. So an item whose attributes cannot be read is found as well.
 *
 * @param postId the post of a like or a comment; not used
 */
public record EngagementKey(@Nullable String postId) {}
