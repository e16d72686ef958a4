package social.feed.table.row;

/**
 * What GSI3 projects of a {@link FeedEntry}: what its key does not say already. Fifty of them fit
 * into the 8 KB of one read unit.
 *
 * @param authorId who wrote the post
 */
public record FeedProjection(String authorId) {}
