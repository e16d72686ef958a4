package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FeedActivityTest {
  private static final Instant READ = Instant.parse("2026-10-01T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  private final FeedActivity activity = FeedActivity.at("bob", READ);

  @Test
  void reader_isDormantAfter30Days_andLeftOutADayLater() {
    var dormantAt = READ.plus(DAY.multipliedBy(30));
    var leftOutAt = dormantAt.plus(DAY);

    assertThat(activity.isDormant(dormantAt)).isFalse();
    assertThat(activity.isDormant(dormantAt.plusMillis(1))).isTrue();
    assertThat(FeedActivity.isLeftOut(READ, leftOutAt)).isFalse();
    assertThat(FeedActivity.isLeftOut(READ, leftOutAt.plusMillis(1))).isTrue();
  }

  /** A fan-out of a post from before may have come late, when the reader was left out already. */
  @Test
  void awoken_reader_mayLackPostsOfTheTimeBefore() {
    var now = READ.plus(DAY.multipliedBy(40));
    var awoken = activity.awoken(now);

    assertThat(activity.mayLackFrom()).isBefore(READ.plus(DAY.multipliedBy(31)));
    assertThat(awoken)
        .isEqualTo(new FeedActivity("bob", now, now.plusSeconds(60), activity.mayLackFrom()));
    assertThat(awoken.isDormant(now)).isFalse();
  }
}
