package social.feed.table.row;

import org.jspecify.annotations.Nullable;

/**
 * A like or a comment as read from GSI2. The sort key says everything, so an item whose attributes
 * cannot be read is found as well.
 *
 * @param postId the post; not used
 */
public record EngagementKey(@Nullable String postId) {}
