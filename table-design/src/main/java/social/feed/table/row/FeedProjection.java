package social.feed.table.row;

/**
 * The attributes of a {@link FeedEntry} that GSI3 projects: those that its key does not contain.
 * Fifty of them fit into the 8 KB of one read unit.
 *
 * @param authorId the account that wrote the post
 */
public record FeedProjection(String authorId) {}
