package social.feed.streams.celebrity;

import java.time.Instant;

/**
 * An author became a celebrity or stopped being one: {@code CelebrityFlagChanged}, for consumers in
 * other systems. Each change has one version, by which a consumer detects duplicates.
 *
 * @param userId the author
 * @param isCelebrity the flag now
 * @param followersCount at the change
 * @param version how often the flag has changed
 * @param at when it was handled
 */
public record CelebrityFlagChanged(
    String userId, boolean isCelebrity, long followersCount, long version, Instant at) {
  /** Name of the event. */
  public static final String NAME = "CelebrityFlagChanged";
}
