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
 * Something wrong in a table where 1 follows 2 and 3, 2 follows 3, 3 follows 1; each has posts, and
 * the newest post of 3 is liked and commented by others.
 *
 * @param name what it is
 * @param says what verify says of it
 * @param plant makes it so
 */
record Fault(String name, String says, Consumer<VerifyWorld> plant) {
  /** Not so old that what lies there has expired. */
  static final Instant AT = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS);

  /** Neither an account nor a post. */
  static final String GHOST = "ghost";

  /** Those that can be repaired. */
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

  /** The time of what must not have expired. */
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
