package social.feed.api.live;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
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
 * @param overlap how much later than its own time an item may enter a list and still be sent. At
 *     least twice {@code poll}, because the posts of celebrities may be as old as one poll, and a
 *     post is committed after its own time
 * @param catchUpAge longest disconnection after which a client gets the missed events
 * @param catchUpEvents maximum number of missed events
 * @param patience how long a client may block the next event before the server disconnects it; the
 *     next event is sent while at most 64 KB wait for the socket
 * @param streamsPerUser maximum number of concurrent streams of a caller at the process
 * @param streams maximum number of concurrent streams of the process
 * @param once whether a response ends after the events that are there, with the time after which
 *     the client reconnects; for a server whose responses are sent only when they are complete
 */
@ConfigurationProperties("feed.live")
record LiveConfiguration(
    @Bindable(defaultValue = "2s") @Positive Duration poll,
    @Bindable(defaultValue = "10s") Duration idlePoll,
    @Bindable(defaultValue = "15s") @Positive Duration heartbeat,
    @Bindable(defaultValue = "14m") @Positive Duration lasts,
    @Bindable(defaultValue = "2m") Duration overlap,
    @Bindable(defaultValue = "1h") Duration catchUpAge,
    @Bindable(defaultValue = "200") @Min(ClientProgress.SENT_MAX) int catchUpEvents,
    @Bindable(defaultValue = "30s") @Positive Duration patience,
    @Bindable(defaultValue = "3") @Min(1) int streamsPerUser,
    @Bindable(defaultValue = "10000") @Min(1) int streams,
    @Bindable(defaultValue = "false") boolean once) {

  LiveConfiguration {
    if (idlePoll.compareTo(poll) < 0) {
      throw new IllegalArgumentException(
          "feed.live.idle-poll must be at least feed.live.poll, %s, not %s"
              .formatted(poll, idlePoll));
    }
    if (overlap.compareTo(poll.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "feed.live.overlap must be at least twice feed.live.poll, %s, not %s"
              .formatted(poll, overlap));
    }
    if (catchUpAge.compareTo(overlap) < 0) {
      throw new IllegalArgumentException(
          "feed.live.catch-up-age must be at least feed.live.overlap, %s, not %s"
              .formatted(overlap, catchUpAge));
    }
  }
}
