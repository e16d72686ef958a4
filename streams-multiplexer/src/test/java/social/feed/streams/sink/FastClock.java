package social.feed.streams.sink;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock by which rests and delays pass faster than by that of the queue. */
final class FastClock extends Clock {
  private final Instant begin = Instant.now();
  private final int faster;

  /**
   * @param faster so many seconds pass in one
   */
  FastClock(int faster) {
    this.faster = faster;
  }

  /** Returns a queue whose delays pass by this clock. */
  SinkQueue delaying(SinkQueue queue) {
    return (messages, delay) -> queue.send(messages, delay.dividedBy(faster));
  }

  @Override
  public Instant instant() {
    return begin.plus(Duration.between(begin, Instant.now()).multipliedBy(faster));
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
