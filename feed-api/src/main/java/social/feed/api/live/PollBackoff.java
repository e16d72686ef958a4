package social.feed.api.live;

import java.time.Duration;

/**
 * How long a stream waits between two looks: longer and longer while nothing is to be shown, and
 * not at all while something is left of what was found. Not thread-safe.
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

  /** Until the next look. */
  Duration pause() {
    return pause;
  }

  /**
   * A look is over.
   *
   * @param isAnythingShown whether the client is sent any of what it found, which blocks and mutes
   *     may hide
   * @param hasMore whether something is left of it
   */
  void looked(boolean isAnythingShown, boolean hasMore) {
    backOff = isAnythingShown ? configuration.poll() : longer();
    pause = hasMore ? Duration.ZERO : backOff;
  }

  /** A look failed, and is not to be repeated soon by every stream. */
  void failed() {
    backOff = configuration.idlePoll();
    pause = backOff;
  }

  private Duration longer() {
    Duration longer = backOff.multipliedBy(2);
    return longer.compareTo(configuration.idlePoll()) < 0 ? longer : configuration.idlePoll();
  }
}
