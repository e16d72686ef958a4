package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

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
}
