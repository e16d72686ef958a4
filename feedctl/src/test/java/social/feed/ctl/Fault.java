package social.feed.ctl;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import social.feed.table.kernel.time.Timestamps;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A fault in a table where 1 follows 2 and 3, 2 follows 3, and 3 follows 1. Each account has posts,
 * and others liked and commented the newest post of 3.
 *
 * @param name the name of the fault
 * @param reported a part of the text that verify prints about it
 * @param plant writes the fault to the table
 */
record Fault(String name, String reported, Consumer<VerifyWorld> plant) {
  /** A time that is not old enough for any row to have expired. */
  static final Instant AT = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS);

  /** The id of no account and no post. */
  static final String GHOST = "ghost";

  /** Returns all faults that can be repaired. */
  static List<Fault> repairable() {
    return Stream.of(
            AccountFaults.all(),
            CountFaults.all(),
            PostFaults.all(),
            NotificationFaults.all(),
            FeedFaults.all(),
            GraphFaults.all())
        .flatMap(List::stream)
        .toList();
  }

  /** Returns the current time, for rows that must not have expired. */
  static Instant now() {
    return Timestamps.now(Clock.systemUTC());
  }

  static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }

  static AttributeValue text(String value) {
    return AttributeValue.fromS(value);
  }

  @Override
  public String toString() {
    return name;
  }
}
