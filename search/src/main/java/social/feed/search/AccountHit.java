package social.feed.search;

/**
 * An account that a search found.
 *
 * @param position where a page that starts behind this account starts
 */
public record AccountHit(String id, AccountPosition position) {}
