package social.feed.table.suspicion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;

class SuspicionRulesTest {
  private static final Instant DAY = Instant.parse("2026-03-01T00:00:00Z");
  private static final SuspicionRules RULES = SuspicionRules.STANDARD;

  @Test
  void findings_ofAnOrdinaryDay_areNone() {
    assertThat(RULES.findings(quota(199, 99, 9))).isEmpty();
    assertThat(RULES.findings(FollowQuota.none("bob"))).isEmpty();
  }

  @Test
  void findings_atThresholds_nameReasonsWithTheirNumbers() {
    assertThat(RULES.findings(quota(200, 100, 20)))
        .containsExactly(
            new SuspicionFinding(SuspicionReason.FOLLOW_BURST, 200, 200, 20),
            new SuspicionFinding(SuspicionReason.FOLLOW_CHURN, 100, 100, 30),
            new SuspicionFinding(SuspicionReason.BLOCKED_BY_FOLLOWED, 20, 10, 70));
  }

  @Test
  void findings_ofTwiceAThresholdAndMore_haveTwiceThePoints() {
    assertThat(RULES.findings(quota(400, 0, 0)))
        .extracting(SuspicionFinding::points)
        .containsExactly(40L);
    assertThat(RULES.findings(quota(4_000, 0, 0)))
        .extracting(SuspicionFinding::points)
        .containsExactly(40L);
  }

  @Test
  void findings_ofUnfollowsAlone_areNoChurn() {
    assertThat(RULES.findings(quota(0, 400, 0))).isEmpty();
  }

  @Test
  void findings_ofFewBlocksAmongManyFollows_areNone() {
    assertThat(RULES.findings(quota(101, 0, 10))).isEmpty();
    assertThat(RULES.findings(quota(100, 0, 10))).hasSize(1);
  }

  /** The account follows 500. Blocks of accounts that it has long followed say little. */
  @Test
  void findings_ofBlocksThatAnswerOlderFollows_countAmongAllFollows() {
    assertThat(RULES.findings(quota(0, 0, 20))).isEmpty();
    assertThat(RULES.findings(quota(19, 0, 20))).isEmpty();
    assertThat(RULES.findings(quota(20, 0, 20))).hasSize(1);
    assertThat(RULES.findings(quota(0, 0, 60))).hasSize(1);
  }

  @Test
  void crossed_onlyOnce_forEachThresholdOfADay() {
    int times = 0;
    var quota = quota(0, 100, 0);
    for (int i = 0; i < 400; i++) {
      var next = quota.followedOnce();
      times += RULES.crossed(quota, next).isEmpty() ? 0 : 1;
      quota = next;
    }

    // The first reason alone could not reach the score.
    assertThat(times).isEqualTo(2);
  }

  @Test
  void crossed_onTheNextDay_startsAgain() {
    var yesterday = quota(200, 100, 0);
    var today = yesterday.on(DAY.plus(Duration.ofDays(1)));

    assertThat(RULES.crossed(yesterday, today)).isEmpty();
    assertThat(RULES.crossed(today, with(today, 200, 100))).hasSize(2);
    assertThat(RULES.crossed(yesterday, with(today, 200, 100))).hasSize(2);
    assertThat(RULES.crossed(yesterday, yesterday.next())).isEmpty();
  }

  @Test
  void crossed_belowTheScoreOfNewAccounts_isNothing() {
    assertThat(RULES.crossed(quota(199, 0, 0), quota(200, 0, 0))).isEmpty();
    assertThat(RULES.crossed(quota(399, 0, 0), quota(400, 0, 0))).hasSize(1);
  }

  @Test
  void withAge_addsAReasonToNewAccountsOnly() {
    var findings = RULES.findings(quota(400, 0, 0));

    assertThat(RULES.isListed(findings)).isFalse();
    assertThat(RULES.isListed(RULES.withAge(findings, DAY.minus(Duration.ofDays(6)), DAY)))
        .isTrue();
    assertThat(RULES.withAge(findings, DAY.minus(Duration.ofDays(7)), DAY)).isEqualTo(findings);
    assertThat(RULES.withAge(List.of(), DAY, DAY)).isEmpty();
  }

  @Test
  void thresholds_belowTwo_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SuspicionRules(1, 100, 10, 10, 5, Duration.ofDays(7), 50))
        .withMessageContaining("at least 2");
  }

  private static FollowQuota quota(long follows, long unfollows, long blocked) {
    return new FollowQuota(
        "bob", 500, 900, DAY, follows, unfollows, null, null, null, blocked, null);
  }

  private static FollowQuota with(FollowQuota quota, long follows, long unfollows) {
    return new FollowQuota(
        "bob", 500, 901, quota.day(), follows, unfollows, null, null, null, null, null);
  }

  @Test
  void thresholds_byTheirNames_replaceTheDefaults() {
    var rules =
        SuspicionRules.STANDARD.with(
            Map.of("follows", "20", "block-share", "5", "new-for", "2d", "score", "30"));

    assertThat(rules).isEqualTo(new SuspicionRules(20, 100, 10, 5, 5, Duration.ofDays(2), 30));
    assertThat(SuspicionRules.STANDARD.with(rules.named())).isEqualTo(rules);
    assertThat(SuspicionRules.STANDARD.with(Map.of())).isEqualTo(SuspicionRules.STANDARD);
  }

  @ParameterizedTest
  @CsvSource({
    "follow, 20, no threshold",
    "follows, many, whole numbers",
    "follows, 1, at least 2",
    "block-share, 99999999999, whole numbers",
    "new-for, soon, whole numbers",
    "new-for, d, whole numbers"
  })
  void threshold_thatIsNone_isRejected(String name, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SuspicionRules.STANDARD.with(Map.of(name, value)))
        .withMessageContaining(message);
  }
}
