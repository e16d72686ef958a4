package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FollowQuotaTest {
  @Test
  void plus_anyChange_raisesTheVersion() {
    var quota = FollowQuota.none("u").plus(1).plus(3).plus(-2);

    assertThat(quota).isEqualTo(new FollowQuota("u", 2, 3));
  }

  @Test
  void none_ofAUser_isVersionZero() {
    assertThat(FollowQuota.none("u")).isEqualTo(new FollowQuota("u", 0, 0));
  }

  @Test
  void on_theNextDay_startsAtZero_andOnTheDayBefore_changesNothing() {
    var noon = Instant.parse("2026-03-01T12:00:00Z");
    var first = FollowQuota.none("u").on(noon).followedOnce();
    var second = first.on(noon.plus(Duration.ofDays(1))).followedOnce().unfollowedOnce();

    assertThat(first.on(noon).follows()).isEqualTo(1);
    assertThat(second.follows()).isEqualTo(1);
    assertThat(second.on(noon)).isEqualTo(second);
    assertThat(second.on(noon.plus(Duration.ofDays(2))).unfollows()).isZero();
  }

  /** A clock that was far ahead must not block follows until that day. */
  @Test
  void on_longBeforeTheDayOfTheNumbers_startsAtZero() {
    var noon = Instant.parse("2026-03-01T12:00:00Z");
    var ahead = FollowQuota.none("u").on(noon.plus(Duration.ofDays(400))).followedOnce();

    assertThat(ahead.on(noon).follows()).isZero();
  }
}
