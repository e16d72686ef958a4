package social.feed.table.ranking;

/**
 * A tag that is in use.
 *
 * @param tag normalised
 * @param score public posts of late, each worth half as much after a half-life
 * @param posts how many they are
 */
public record TrendingTag(String tag, double score, long posts) {}
