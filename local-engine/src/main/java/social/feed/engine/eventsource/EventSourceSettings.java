package social.feed.engine.eventsource;

import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * How an event source runs, whatever its mappings are.
 *
 * @param shortestPoll between two looks into a shard that has just had records
 * @param longestPoll between two looks into a shard that has had none for a while: the latency of
 *     the first write after a pause
 * @param backoff between failures of a batch, or of the stream
 * @param clock for the age of records and for tumbling windows
 * @param random for the jitter of the backoff
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
          "0 < shortestPoll <= longestPoll, not " + shortestPoll + ", " + longestPoll);
    }
  }

  /** Polls every 5 to 50 ms; waits 100 ms to 5 s between failures. */
  public static EventSourceSettings standard() {
    return polling(Duration.ofMillis(50));
  }

  /**
   * As the standard, but polls only once a second when idle: for an event source that is woken
   * after each write, by {@code LocalDynamoDb.onWrite}.
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

  public EventSourceSettings withBackoff(RetryDelay other) {
    return new EventSourceSettings(shortestPoll, longestPoll, other, clock, random);
  }

  public EventSourceSettings withClock(InstantSource other) {
    return new EventSourceSettings(shortestPoll, longestPoll, backoff, other, random);
  }
}
