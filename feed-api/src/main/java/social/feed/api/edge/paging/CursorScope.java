package social.feed.api.edge.paging;

/**
 * What a cursor is good for.
 *
 * @param viewerId the caller
 * @param pattern e.g. {@code FEED-002}
 * @param resource whose list it is, e.g. a post id; empty where the pattern says it all
 */
public record CursorScope(String viewerId, String pattern, String resource) {}
