package social.feed.engine.eventsource;

import java.time.Duration;

/** The delay between polls of a shard, which grows while the polls return nothing. */
final class PollDelay {

  private final Duration shortest;
  private final Duration longest;
  private Duration current;

  PollDelay(Duration shortest, Duration longest) {
    this.shortest = shortest;
    this.longest = longest;
    this.current = shortest;
  }

  void reset() {
    current = shortest;
  }

  Duration next() {
    Duration now = current;
    Duration doubled = current.multipliedBy(2);
    current = doubled.compareTo(longest) < 0 ? doubled : longest;
    return now;
  }
}
