package social.feed.search;

/**
 * A part of a text that a search found.
 *
 * @param from the first UTF-16 unit
 * @param to behind the last
 */
public record Highlight(int from, int to) {}
