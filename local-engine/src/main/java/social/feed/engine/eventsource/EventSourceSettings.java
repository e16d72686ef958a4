package social.feed.engine.eventsource;

import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * The settings of an event source that apply to all its mappings.
 *
 * @param shortestPoll poll interval of a shard that has just had records
 * @param longestPoll poll interval of a shard that has had no records for a while, which is the
 *     latency of the first write after a pause
 * @param backoff delays between failures of a batch, or of the stream
 * @param clock clock for the age of records and for tumbling windows
 * @param random source of the backoff's jitter
 */
public record EventSourceSettings(
    Duration shortestPoll,
    Duration longestPoll,
    RetryDelay backoff,
    InstantSource clock,
    RandomGenerator random) {

  public EventSourceSettings {
    if (!shortestPoll.isPositive() || longestPoll.compareTo(shortestPoll) < 0) {
      throw new IllegalArgumentException(
          "0 < shortestPoll <= longestPoll must hold, not " + shortestPoll + ", " + longestPoll);
    }
  }

  /** Returns settings that poll every 5 to 50 ms and wait 100 ms to 5 s between failures. */
  public static EventSourceSettings standard() {
    return polling(Duration.ofMillis(50));
  }

  /**
   * Returns the standard settings with one poll a second when idle, for an event source that {@code
   * LocalDynamoDb.onWrite} wakes after each write.
   */
  public static EventSourceSettings woken() {
    return polling(Duration.ofSeconds(1));
  }

  private static EventSourceSettings polling(Duration longestPoll) {
    return new EventSourceSettings(
        Duration.ofMillis(5),
        longestPoll,
        new RetryDelay(Duration.ofMillis(100), Duration.ofSeconds(5)),
        InstantSource.system(),
        RandomGenerator.getDefault());
  }

  public EventSourceSettings withClock(InstantSource other) {
    return new EventSourceSettings(shortestPoll, longestPoll, backoff, other, random);
  }
}
