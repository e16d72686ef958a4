package social.feed.api.live;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * What streams of events cost, and how far they reach.
 *
 * @param poll how long after something happened a stream looks again; a look that finds nothing
 *     costs one read unit
 * @param idlePoll how long it waits at most while nothing happens
 * @param heartbeat after how much silence a client is told that the stream is still there
 * @param lasts after how long a stream ends, and its client comes back with the id of its last
 *     event; less than any gateway before this server lets an answer last
 * @param overlap how late something may come into a list, by its own time, and still be sent
 * @param catchUpAge how long a client may have been away to be sent what it missed
 * @param catchUpEvents how many events it may have missed
 * @param patience how long a client may take to make room for the next event before it is cut off;
 *     there is room while no more than 64 KB wait for its socket
 * @param streamsPerUser how many streams a caller may have open at once
 * @param streams how many streams the process serves at once
 */
@ConfigurationProperties("feed.live")
record LiveConfiguration(
    @Bindable(defaultValue = "2s") Duration poll,
    @Bindable(defaultValue = "10s") Duration idlePoll,
    @Bindable(defaultValue = "15s") Duration heartbeat,
    @Bindable(defaultValue = "14m") Duration lasts,
    @Bindable(defaultValue = "2m") Duration overlap,
    @Bindable(defaultValue = "1h") Duration catchUpAge,
    @Bindable(defaultValue = "200") int catchUpEvents,
    @Bindable(defaultValue = "30s") Duration patience,
    @Bindable(defaultValue = "3") int streamsPerUser,
    @Bindable(defaultValue = "10000") int streams) {

  LiveConfiguration {
    if (!poll.isPositive()
        || idlePoll.compareTo(poll) < 0
        || !heartbeat.isPositive()
        || !lasts.isPositive()
        || overlap.isNegative()
        || catchUpAge.compareTo(overlap) < 0
        || !patience.isPositive()) {
      throw new IllegalArgumentException(
          "feed.live: poll, heartbeat, lasts and patience are positive, idle-poll is at least poll,"
              + " catch-up-age at least overlap");
    }
    if (catchUpEvents < ClientProgress.SENT_MAX || streamsPerUser < 1 || streams < 1) {
      throw new IllegalArgumentException(
          "feed.live: catch-up-events is at least %d, streams-per-user and streams are positive"
              .formatted(ClientProgress.SENT_MAX));
    }
  }
}
