package social.feed.api.live;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Limits of event streams.
 *
 * @param poll pause between two polls after a poll that found an event; a poll that finds nothing
 *     costs one read unit
 * @param idlePoll longest pause between two polls while nothing happens
 * @param heartbeat silence after which the stream sends a heartbeat
 * @param lasts lifetime of a stream; its client then reconnects with the id of its last event. Must
 *     be shorter than the response timeout of any gateway before this server
 * @param overlap how much later than its own time an item may enter a list and still be sent
 * @param catchUpAge longest disconnection after which a client gets the missed events
 * @param catchUpEvents maximum number of missed events
 * @param patience how long a client may block the next event before the server disconnects it; the
 *     next event is sent while at most 64 KB wait for the socket
 * @param streamsPerUser maximum number of concurrent streams of a caller
 * @param streams maximum number of concurrent streams of the process
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
          "feed.live: poll, heartbeat, lasts and patience must be positive, idle-poll at least poll,"
              + " catch-up-age at least overlap");
    }
    if (catchUpEvents < ClientProgress.SENT_MAX || streamsPerUser < 1 || streams < 1) {
      throw new IllegalArgumentException(
          "feed.live: catch-up-events must be at least %d, streams-per-user and streams positive"
              .formatted(ClientProgress.SENT_MAX));
    }
  }
}
