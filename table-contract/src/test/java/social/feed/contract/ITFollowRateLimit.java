package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowOutcome;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.UnfollowOutcome;
import social.feed.table.graph.UnfollowOutcome.NotFollowing;
import social.feed.table.graph.UnfollowOutcome.SlowedDown;
import social.feed.table.graph.UnfollowOutcome.TooManyToday;
import social.feed.table.graph.UnfollowOutcome.TooSoon;
import social.feed.table.graph.UnfollowOutcome.Unfollowed;
import social.feed.table.row.Block;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;

/** The rate limit of follows and unfollows is exact under concurrency. */
@ExtendWith(EngineExtension.class)
class ITFollowRateLimit {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant MIDNIGHT = Instant.parse("2026-03-02T00:00:00Z");
  private static final Duration COOL_DOWN = Duration.ofMinutes(10);

  private final TestTable table;
  private final FollowQuotas quotas;
  private final FollowWriter writes;
  private final String follower = Names.fresh();

  ITFollowRateLimit(TestTable table) {
    this.table = table;
    this.quotas = new FollowQuotas(table.table());
    this.writes =
        new FollowWriter(table.table(), 5_000, 5_000, new FollowRateLimit(3, 2, COOL_DOWN));
  }

  @Test
  void follows_beyondTheDailyLimit_areRejectedUntilTheNextDay() {
    assertThat(follow("a", NOON)).isEqualTo(FollowOutcome.FOLLOWED);
    assertThat(follow("a", NOON)).as("a repeat").isEqualTo(FollowOutcome.ALREADY_FOLLOWING);
    assertThat(follow("b", NOON)).isEqualTo(FollowOutcome.FOLLOWED);
    assertThat(follow("c", NOON)).isEqualTo(FollowOutcome.FOLLOWED);
    assertThat(follow("d", NOON)).isEqualTo(FollowOutcome.TOO_MANY_TODAY);
    assertThat(follow("a", NOON)).as("a repeat").isEqualTo(FollowOutcome.ALREADY_FOLLOWING);
    assertThat(follow("d", MIDNIGHT.minusMillis(1))).isEqualTo(FollowOutcome.TOO_MANY_TODAY);
    assertThat(follow("d", MIDNIGHT)).isEqualTo(FollowOutcome.FOLLOWED);
    assertThat(quotas.of(follower).following()).isEqualTo(4);
    assertThat(quotas.of(follower).follows()).isEqualTo(1);
  }

  @Test
  void unfollow_waitsForTheCoolDown_andForTheNextDay() {
    List.of("a", "b", "c").forEach(other -> follow(other, NOON));
    var late = NOON.plus(COOL_DOWN);

    assertThat(leave("a", late.minusMillis(1))).isEqualTo(new TooSoon(late));
    assertThat(leave("a", late)).isEqualTo(new Unfollowed());
    assertThat(leave("a", late)).isEqualTo(new NotFollowing());
    assertThat(leave("b", late)).isEqualTo(new Unfollowed());
    assertThat(leave("c", late)).isEqualTo(new TooManyToday(MIDNIGHT));
    assertThat(leave("c", MIDNIGHT)).isEqualTo(new Unfollowed());
    assertThat(quotas.of(follower).following()).isZero();
  }

  @Test
  void slowDown_allowsFewFollowsADay_andEndsByItself() {
    var until = MIDNIGHT.plus(Duration.ofHours(12));
    assertThat(slowed().slowDown(follower, until)).as("without a quota").isFalse();
    assertThat(follow("a", NOON)).isEqualTo(FollowOutcome.FOLLOWED);
    assertThat(slowed().slowDown(follower, until)).isTrue();

    assertThat(slowedFollow("b", NOON)).isEqualTo(FollowOutcome.SLOWED_DOWN);
    assertThat(slowedFollow("a", NOON)).isEqualTo(FollowOutcome.ALREADY_FOLLOWING);
    assertThat(slowedFollow("b", MIDNIGHT)).isEqualTo(FollowOutcome.FOLLOWED);
    assertThat(slowedFollow("c", until.minusMillis(1))).isEqualTo(FollowOutcome.SLOWED_DOWN);
    assertThat(slowedFollow("c", until)).isEqualTo(FollowOutcome.FOLLOWED);
    assertThat(slowedFollow("d", until)).isEqualTo(FollowOutcome.FOLLOWED);
    assertThat(slowedFollow("e", until)).isEqualTo(FollowOutcome.TOO_MANY_TODAY);
    assertThat(FollowRateLimit.endOfSlowDown(quotas.of(follower), NOON)).isEqualTo(MIDNIGHT);
    assertThat(FollowRateLimit.endOfSlowDown(quotas.of(follower), MIDNIGHT)).isEqualTo(until);
  }

  @Test
  void slowDown_allowsFewUnfollowsADay_untilItIsEnded() {
    List.of("a", "b", "c").forEach(other -> follow(other, NOON));
    var late = NOON.plus(COOL_DOWN);
    slowed().slowDown(follower, MIDNIGHT.plusSeconds(60));

    assertThat(slowed().leave(follower, id("a"), false, late)).isEqualTo(new Unfollowed());
    assertThat(slowed().leave(follower, id("b"), false, late)).isEqualTo(new SlowedDown(MIDNIGHT));
    slowed().slowDown(follower, null);
    assertThat(slowed().leave(follower, id("b"), false, late)).isEqualTo(new Unfollowed());
    assertThat(slowed().leave(follower, id("c"), false, late))
        .isEqualTo(new TooManyToday(MIDNIGHT));
  }

  @Test
  void slowDown_toMoreThanTheLimits_allowsNoMoreThanThem() {
    List.of("a", "b", "c").forEach(other -> follow(other, NOON));
    var late = NOON.plus(COOL_DOWN);
    var generous =
        new FollowWriter(table.table(), 5_000, 5_000, new FollowRateLimit(3, 2, COOL_DOWN, 9));
    generous.slowDown(follower, MIDNIGHT.plusSeconds(60));

    assertThat(generous.follow(Follow.of(follower, id("d"), late)))
        .isEqualTo(FollowOutcome.TOO_MANY_TODAY);
    assertThat(generous.leave(follower, id("a"), false, late)).isEqualTo(new Unfollowed());
    assertThat(generous.leave(follower, id("b"), false, late)).isEqualTo(new Unfollowed());
    assertThat(generous.leave(follower, id("c"), false, late))
        .isEqualTo(new TooManyToday(MIDNIGHT));
  }

  @Test
  void follows_whileSlowedDown_areExactlyAsManyAsAllowed() {
    follow("a", NOON);
    slowed().slowDown(follower, MIDNIGHT.plus(Duration.ofDays(9)));

    var outcomes = AtOnce.run(12, i -> slowedFollow("other" + i, MIDNIGHT));

    assertThat(outcomes).filteredOn(FollowOutcome.FOLLOWED::equals).hasSize(1);
    assertThat(outcomes).filteredOn(FollowOutcome.SLOWED_DOWN::equals).hasSize(11);
  }

  /** Whatever follows at the same time, none is free of the slow-down after it. */
  @Test
  void slowDown_atTheSameTimeAsFollows_isNotLost() {
    follow("a", NOON);
    var until = MIDNIGHT.plus(Duration.ofDays(9));

    AtOnce.run(
        8,
        i ->
            i == 3
                ? slowed().slowDown(follower, until)
                : follow("other" + i, NOON) == FollowOutcome.FOLLOWED);

    assertThat(quotas.of(follower).slowedUntil()).isEqualTo(until);
  }

  @Test
  void blockOfAFollower_isCountedForItsDay() {
    List.of("a", "b").forEach(other -> follow(other, NOON));
    var blocks =
        new BlockWriter(table.table(), new BlocksAndMutes(table.table(), table.clock()), 5_000);

    blocks.block(new Block(id("a"), follower, NOON));
    blocks.block(new Block(id("stranger"), follower, NOON));
    assertThat(quotas.of(follower).blockedToday()).isEqualTo(1);
    assertThat(quotas.of(follower).following()).isEqualTo(1);
    assertThat(quotas.of(follower).follows()).isEqualTo(2);

    blocks.block(new Block(id("b"), follower, MIDNIGHT));
    assertThat(quotas.of(follower).blockedToday()).isEqualTo(1);
    assertThat(quotas.of(follower).follows()).isZero();
  }

  /** As a repeat of a block, or the repair of an old one. */
  @Test
  void blockFromBeforeTheDay_leavesTheNumbersOfTheDay() {
    List.of("a", "b").forEach(other -> follow(other, MIDNIGHT));
    var blocks =
        new BlockWriter(table.table(), new BlocksAndMutes(table.table(), table.clock()), 5_000);

    blocks.block(new Block(id("a"), follower, MIDNIGHT.minus(Duration.ofDays(2))));

    assertThat(quotas.of(follower).following()).isEqualTo(1);
    assertThat(quotas.of(follower).follows()).isEqualTo(2);
    assertThat(quotas.of(follower).blockedToday()).isZero();
  }

  private FollowWriter slowed() {
    return new FollowWriter(table.table(), 5_000, 5_000, new FollowRateLimit(3, 2, COOL_DOWN, 1));
  }

  private FollowOutcome slowedFollow(String other, Instant now) {
    return slowed().follow(Follow.of(follower, id(other), now));
  }

  @Test
  void follows_manyConcurrent_areExactlyAsManyAsAllowed() {
    var outcomes = AtOnce.run(12, i -> follow("other" + i, NOON));

    assertThat(outcomes).filteredOn(FollowOutcome.FOLLOWED::equals).hasSize(3);
    assertThat(outcomes).filteredOn(FollowOutcome.TOO_MANY_TODAY::equals).hasSize(9);
    assertThat(quotas.of(follower).following()).isEqualTo(3);
  }

  /** The last places of a day at the default of the API. */
  @Test
  void followsAndUnfollows_concurrent_shareTheLastPlacesOfTheDay() {
    var limited =
        new FollowWriter(table.table(), 5_000, 5_000, new FollowRateLimit(400, 400, COOL_DOWN));
    var edges =
        IntStream.range(0, 20)
            .mapToObj(i -> Follow.of(follower, follower + "-e" + i, NOON))
            .toList();
    var late = NOON.plus(COOL_DOWN);
    limited.adopt(edges);
    var quota = quotas.of(follower);
    table
        .table()
        .putAll(
            List.of(
                new FollowQuota(
                    follower,
                    quota.following(),
                    quota.version() + 1,
                    NOON.truncatedTo(ChronoUnit.DAYS),
                    397,
                    398,
                    null,
                    quota.unrelatedVersion(),
                    quota.followeesHash())));

    var outcomes =
        AtOnce.run(
            16,
            i ->
                i % 2 == 0
                    ? limited.follow(Follow.of(follower, follower + "-f" + i, late))
                    : limited.leave(follower, edges.get(i).followeeId(), false, late));

    assertThat(outcomes).filteredOn(FollowOutcome.FOLLOWED::equals).hasSize(3);
    assertThat(outcomes).filteredOn(FollowOutcome.TOO_MANY_TODAY::equals).hasSize(5);
    assertThat(outcomes).filteredOn(Unfollowed.class::isInstance).hasSize(2);
    assertThat(outcomes).filteredOn(TooManyToday.class::isInstance).hasSize(6);
    var after = quotas.of(follower);
    assertThat(after.following()).isEqualTo(20 + 3 - 2);
    assertThat(List.of(after.follows(), after.unfollows())).containsExactly(400L, 400L);
  }

  @Test
  void unfollows_manyConcurrent_areExactlyAsManyAsAllowed() {
    List.of("a", "b", "c").forEach(other -> follow(other, NOON));
    var late = NOON.plus(COOL_DOWN);

    var outcomes = AtOnce.run(12, i -> leave(List.of("a", "b", "c").get(i % 3), late));

    assertThat(outcomes).filteredOn(Unfollowed.class::isInstance).hasSize(2);
    assertThat(quotas.of(follower).following()).isEqualTo(1);
  }

  /** The write is retried after a concurrent follow has counted for the new day. */
  @Test
  void follow_stampedBeforeMidnight_andWrittenAfterTheNewDay_countsForTheNewDay() {
    List.of("a", "b", "c").forEach(other -> follow(other, MIDNIGHT));

    assertThat(follow("d", MIDNIGHT.minusMillis(1))).isEqualTo(FollowOutcome.TOO_MANY_TODAY);
    assertThat(follow("d", MIDNIGHT)).isEqualTo(FollowOutcome.TOO_MANY_TODAY);
    assertThat(quotas.of(follower).follows()).isEqualTo(3);
  }

  @Test
  void unfollow_stampedBeforeMidnight_andWrittenAfterTheNewDay_countsForTheNewDay() {
    List.of("a", "b", "c").forEach(other -> follow(other, NOON));
    List.of("a", "b").forEach(other -> leave(other, MIDNIGHT));

    assertThat(leave("c", MIDNIGHT.minusMillis(1))).isEqualTo(new TooManyToday(MIDNIGHT));
    assertThat(leave("c", MIDNIGHT)).isEqualTo(new TooManyToday(MIDNIGHT.plus(Duration.ofDays(1))));
    assertThat(quotas.of(follower).following()).isEqualTo(1);
  }

  @Test
  void repairsAndImports_haveNoLimit_andDoNotCount() {
    var edges =
        IntStream.range(0, 5)
            .mapToObj(i -> Follow.of(follower, follower + "-o" + i, NOON))
            .toList();

    assertThat(writes.adopt(edges).written()).isEqualTo(5);
    edges.forEach(edge -> assertThat(writes.unfollow(follower, edge.followeeId())).isTrue());
    assertThat(follow("a", NOON)).isEqualTo(FollowOutcome.FOLLOWED);
  }

  @Test
  void rateLimit_thatAllowsNothing_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FollowRateLimit(0, 1, Duration.ZERO))
        .withMessageContaining("at least one follow");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FollowRateLimit(1, 1, Duration.ofSeconds(-1)));
  }

  private String id(String other) {
    return follower + other;
  }

  private FollowOutcome follow(String other, Instant now) {
    return writes.follow(Follow.of(follower, follower + other, now));
  }

  private UnfollowOutcome leave(String other, Instant now) {
    return writes.leave(follower, follower + other, false, now);
  }
}
