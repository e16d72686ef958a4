package social.feed.table.ranking;

/**
 * A tag in the ranking of recent use.
 *
 * @param tag the normalized tag
 * @param score the recent public posts with the tag, each weighted by half after a half-life
 * @param posts the number of those posts
 */
public record TrendingTag(String tag, double score, long posts) {}
