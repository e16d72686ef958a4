package social.feed.table.ranking;

/**
 * A tag in the ranking of recent use.
 *
 * @param tag the normalized tag
 * @param score the recent public posts with the tag, each weighted by half after a half-life; to
 *     three decimal places
 * @param posts the number of those posts, in the eight half-lives before the last of them
 */
public record TrendingTag(String tag, double score, long posts) {}
