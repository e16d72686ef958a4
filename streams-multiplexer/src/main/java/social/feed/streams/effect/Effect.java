package social.feed.streams.effect;

/**
 * Something that a change causes. Each kind of effect is a record next to its handler, and has its
 * lines in {@link social.feed.streams.plan.Plan}.
 */
public interface Effect {}
