package social.feed.search;

/**
 * A post that a search found.
 *
 * @param position where a page that starts behind this post starts
 */
public record PostHit(String id, SearchPosition position) {}
