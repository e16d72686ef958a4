package social.feed.api.edge.paging;

/**
 * The caller and the list that a cursor is valid for.
 *
 * @param viewerId the user id of the caller
 * @param pattern the id of the access pattern, e.g. {@code FEED-002}, or the name of the list
 * @param resource the id of the resource that the list belongs to, e.g. of a post; empty where the
 *     pattern identifies the list
 */
public record CursorScope(String viewerId, String pattern, String resource) {}
