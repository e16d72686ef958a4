package social.feed.api.edge.query;

/**
 * A query variable that is {@code true} or {@code false}. The framework's own conversion takes
 * anything for false.
 *
 * @param isSet whether it was {@code true}
 */
public record Flag(boolean isSet) {}
