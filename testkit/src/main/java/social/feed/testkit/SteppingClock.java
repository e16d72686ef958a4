package social.feed.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that advances by a millisecond at each reading, so no two times are equal. */
public final class SteppingClock extends Clock {
  private final AtomicLong millis;

  public SteppingClock(Instant start) {
    this.millis = new AtomicLong(start.toEpochMilli());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.incrementAndGet());
  }

  /** Advances the clock. */
  public void advance(Duration duration) {
    millis.addAndGet(duration.toMillis());
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
