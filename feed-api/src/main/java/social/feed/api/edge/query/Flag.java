package social.feed.api.edge.query;

/**
 * A query variable that is {@code true} or {@code false}. The framework's own conversion reads any
 * other text as false.
 *
 * @param isSet whether the variable is {@code true}
 */
public record Flag(boolean isSet) {}
