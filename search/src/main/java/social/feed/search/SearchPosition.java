package social.feed.search;

import java.time.Instant;

/**
 * Where a page of posts ended. It contains all that the next page needs, so an index keeps nothing
 * between two pages.
 *
 * @param asOf when the first page was read; all pages judge the age of a post by it
 * @param score the score of the last hit
 * @param id the id of the last hit
 * @param passed how many hits came up to this one, itself included
 */
public record SearchPosition(Instant asOf, float score, String id, int passed) {}
