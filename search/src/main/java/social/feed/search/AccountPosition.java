package social.feed.search;

/**
 * Where a page of accounts ended. It contains all that the next page needs, so an index keeps
 * nothing between two pages.
 *
 * @param score the score of the last hit
 * @param handle the handle of the last hit, which decides where scores are equal
 * @param id the id of the last hit, which decides where handles are equal too: an index that is
 *     late may have a handle of two accounts
 * @param passed how many hits came up to this one, itself included
 */
public record AccountPosition(float score, String handle, String id, int passed) {}
