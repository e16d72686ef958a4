package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FollowQuotaTest {
  @Test
  void everyChange_raisesTheVersion_andCountsTheEdges() {
    var none = FollowQuota.none("u");
    var quota = none.following(List.of("a")).following(List.of("b", "c")).unfollowing("a").next();

    assertThat(none.version()).isZero();
    assertThat(quota.version()).isEqualTo(4);
    assertThat(quota.following()).isEqualTo(2);
    assertThat(quota.unfollowing("b").unfollowing("c").unfollowing("d").following()).isZero();
  }

  @Test
  void isListedBy_theFollowedAccounts_isTrueOfExactlyThese() {
    var quota = FollowQuota.none("u").following(List.of("a", "b", "c")).unfollowing("a");

    assertThat(quota.isListedBy(Set.of("c", "b"))).isTrue();
    for (var other : List.of(Set.of("b"), Set.of("a", "b"), Set.of("a", "c"), Set.of("b", "d"))) {
      assertThat(quota.isListedBy(other)).as(other.toString()).isFalse();
    }
    assertThat(new FollowQuota("u", 2, 3).isListedBy(Set.of("b", "c"))).as("no hash").isFalse();
    assertThat(quota.corrected(2, 9).isListedBy(Set.of("b", "c"))).as("counted").isFalse();
  }

  @Test
  void quotaWithoutAHash_hasOneAgainWithItsLastEdge() {
    var counted = new FollowQuota("u", 2, 3).unfollowing("b");

    assertThat(counted.isListedBy(Set.of("c"))).isFalse();
    assertThat(counted.unfollowing("c").following(List.of("d")).isListedBy(Set.of("d"))).isTrue();
  }

  @Test
  void isUnrelated_withEachOfItsOwnChanges_untilABlockOrMute() {
    var quota = FollowQuota.none("u").following(List.of("a")).marking("a").next();

    assertThat(quota.isUnrelated()).isTrue();
    assertThat(quota.related().isUnrelated()).isFalse();
    assertThat(quota.related().next().unfollowing("a").isUnrelated()).isFalse();
    assertThat(quota.corrected(1, 9).isUnrelated()).isFalse();
  }

  /** As when a block by another account raises the version, or a process of an older release. */
  @Test
  void isUnrelated_afterTheVersionAloneWasRaised_isFalseForGood() {
    var raised = new FollowQuota("u", 1, 8, null, 0, 0, null, 7L, null);

    assertThat(raised.isUnrelated()).isFalse();
    assertThat(raised.next().isUnrelated()).isFalse();
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

  /** A repair counts the edges, and lifts no slow-down of an operator. */
  @Test
  void corrected_keepsTheSlowDown() {
    var until = Instant.parse("2026-03-02T00:00:00Z");
    var quota = FollowQuota.none("u").following(List.of("a")).slowed(until);

    assertThat(quota.corrected(7, 9).slowedUntil()).isEqualTo(until);
  }

  @Test
  void blockedOnce_countsTheEdgesOfTheDay_andChangesNothingElse() {
    var noon = Instant.parse("2026-03-01T12:00:00Z");
    var quota = FollowQuota.none("u").following(List.of("a")).on(noon).followedOnce();

    assertThat(quota.blockedToday()).isZero();
    assertThat(quota.blockedOnce().blockedToday()).isEqualTo(1);
    assertThat(quota.blockedOnce().blockedOnce())
        .isEqualTo(new FollowQuota("u", 1, 1, quota.day(), 1, 0, null, 1L, hash("a"), 2L, null));
    assertThat(quota.blockedOnce().on(noon.plus(Duration.ofDays(1))).blockedToday())
        .as("on the next day")
        .isZero();
  }

  @Test
  void blockedOnce_withoutADay_countsNothing() {
    var quota = new FollowQuota("u", 2, 3);

    assertThat(quota.blockedOnce()).isEqualTo(quota);
  }

  @Test
  void slowDown_endsAtItsTime() {
    var until = Instant.parse("2026-03-02T00:00:00Z");
    var quota = FollowQuota.none("u").slowed(until);

    assertThat(quota.isSlowedAt(until.minusMillis(1))).isTrue();
    assertThat(quota.isSlowedAt(until)).isFalse();
    assertThat(quota.slowed(null).isSlowedAt(until.minusMillis(1))).as("ended").isFalse();
    assertThat(FollowQuota.none("u").isSlowedAt(Instant.MIN)).as("never").isFalse();
  }

  private static @Nullable Long hash(String followeeId) {
    return FollowQuota.none("u").following(List.of(followeeId)).followeesHash();
  }
}
