package social.feed.streams.celebrity;

import java.time.Instant;

/**
 * An author became a celebrity or ceased to be one: {@code CelebrityFlagChanged}, for consumers
 * outside. Each crossing has one version, so whoever gets it twice can tell.
 *
 * @param userId the author
 * @param isCelebrity the flag now
 * @param followersCount at the crossing
 * @param version how often the flag has changed
 * @param at when it was handled
 */
public record CelebrityFlagChanged(
    String userId, boolean isCelebrity, long followersCount, long version, Instant at) {
  /** Name of the event. */
  public static final String NAME = "CelebrityFlagChanged";
}
