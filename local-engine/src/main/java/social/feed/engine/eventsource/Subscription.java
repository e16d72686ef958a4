package social.feed.engine.eventsource;

/** A mapping and the function behind it. */
public record Subscription(EventSourceMapping mapping, StreamFunction function) {}
