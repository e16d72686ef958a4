package social.feed.table.home;

import java.time.Instant;

/**
 * The time between a history that is retained and the follow after it. Posts from between the two
 * do not belong in the feed.
 *
 * @param after the end of the history
 * @param before the start of the posts that came with the follow
 */
public record FeedGap(Instant after, Instant before) {
  boolean contains(Instant time) {
    return time.isAfter(after) && time.isBefore(before);
  }
}
