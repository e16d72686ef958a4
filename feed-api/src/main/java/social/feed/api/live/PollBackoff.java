package social.feed.api.live;

import java.time.Duration;

/**
 * The pause of a stream between two polls. It doubles while there is nothing to send, and is zero
 * while found items are left to send. Not thread-safe.
 */
final class PollBackoff {
  private final LiveConfiguration configuration;
  private Duration backOff;
  private Duration pause;

  PollBackoff(LiveConfiguration configuration, boolean hasMore) {
    this.configuration = configuration;
    this.backOff = configuration.poll();
    this.pause = hasMore ? Duration.ZERO : backOff;
  }

  /** The pause until the next poll. */
  Duration pause() {
    return pause;
  }

  /**
   * Records a poll.
   *
   * @param hasEvents whether it produced events; blocks and mutes may hide all items it found
   * @param hasMore whether found items are left to send
   */
  void polled(boolean hasEvents, boolean hasMore) {
    backOff = hasEvents ? configuration.poll() : longer();
    pause = hasMore ? Duration.ZERO : backOff;
  }

  /** Records a failed poll. The pause is long, so that many streams do not retry soon. */
  void failed() {
    backOff = configuration.idlePoll();
    pause = backOff;
  }

  private Duration longer() {
    Duration longer = backOff.multipliedBy(2);
    return longer.compareTo(configuration.idlePoll()) < 0 ? longer : configuration.idlePoll();
  }
}
