package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.CompareOpeningHandler.CompareOpening;
import social.feed.streams.plan.Lane;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.suspicion.FollowOpenings;
import social.feed.table.suspicion.OpeningSketch;
import social.feed.table.suspicion.Suspects;
import social.feed.table.suspicion.SuspicionRules;
import social.feed.testkit.SeedWorld.Person;

/** The stream lists accounts whose follows look abnormal, and writes nothing for all others. */
class ITSuspicionEffects {
  private static final int RING = SuspicionRules.STANDARD.sameOrder();

  private final StreamHarness harness = StreamHarness.start();
  private final Suspects suspects = new Suspects(harness.table.table());
  private final FollowWriter writes =
      new FollowWriter(
          harness.table.table(), 5_000, 5_000, new FollowRateLimit(400, 400, Duration.ZERO));

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void burst_ofNewAccount_isListed_andARepeatChangesNothing() {
    var ann = harness.world.user("ann");
    hasFollowed(ann, 399, 0, 0);

    follow(ann, harness.world.user("bob").id());
    harness.drain();

    var listed = suspects.get(ann.id()).orElseThrow();
    assertThat(listed.findings())
        .extracting(SuspicionFinding::reason)
        .containsExactly(SuspicionReason.FOLLOW_BURST, SuspicionReason.NEW_ACCOUNT);
    assertThat(listed.score()).isEqualTo(55);

    harness.replay(Lane.EFFECTS);
    assertThat(suspects.get(ann.id())).hasValue(listed);
  }

  @Test
  void dismissedAccount_isNotListedByARepeat() {
    var ann = harness.world.user("ann");
    hasFollowed(ann, 399, 0, 0);
    follow(ann, harness.world.user("bob").id());
    harness.drain();

    suspects.dismiss(ann.id(), Timestamps.now(harness.table.clock()));
    harness.replay(Lane.EFFECTS);

    assertThat(suspects.get(ann.id())).get().matches(row -> !row.isListed());
  }

  @Test
  void oldAccount_withTheSameBurst_isNotListed() {
    var ann = harness.world.user("ann");
    harness.table.clock().advance(Duration.ofDays(8));
    hasFollowed(ann, 399, 0, 0);

    follow(ann, harness.world.user("bob").id());
    harness.drain();

    assertThat(suspects.get(ann.id())).isEmpty();
  }

  @Test
  void blocksByFollowedAccounts_areAReason() {
    var ann = harness.world.user("ann");
    var bob = harness.world.user("bob");
    hasFollowed(ann, 90, 0, 9);
    follow(ann, bob.id());

    bob.blocks(ann);
    harness.drain();

    assertThat(suspects.get(ann.id()).orElseThrow().findings())
        .contains(SuspicionFinding.of(SuspicionReason.BLOCKED_BY_FOLLOWED, 10, 10));
  }

  @Test
  void blocksOfAnAccountThatDoesNotFollow_areNone() {
    var ann = harness.world.user("ann");
    hasFollowed(ann, 90, 0, 9);

    harness.world.user("bob").blocks(ann);
    harness.drain();

    assertThat(suspects.get(ann.id())).isEmpty();
  }

  @Test
  void accountThatIsGone_isNotListed() {
    var ghost = new Person(harness.world, "ghost");
    hasFollowed(ghost, 399, 0, 0);

    follow(ghost, harness.world.user("bob").id());
    harness.drain();

    assertThat(suspects.get(ghost.id())).isEmpty();
  }

  @Test
  void newAccounts_inTheSameOrder_areAllListed_fromTheFifthOn() {
    var targets = targets();
    var ring = IntStream.range(0, 3 * RING).mapToObj(i -> harness.world.user("bot" + i)).toList();

    ring.subList(0, RING - 1).forEach(bot -> targets.forEach(target -> follow(bot, target)));
    harness.drain();
    assertThat(harness.rows()).noneMatch(Suspect.class::isInstance);

    targets.forEach(target -> follow(ring.get(RING - 1), target));
    harness.drain();
    assertThat(ring.subList(0, RING))
        .allSatisfy(
            bot ->
                assertThat(suspects.get(bot.id()).orElseThrow().findings())
                    .contains(SuspicionFinding.of(SuspicionReason.SAME_ORDER, RING, RING)));

    // Also those behind the rows that are read of each hash.
    ring.subList(RING, 3 * RING).forEach(bot -> targets.forEach(target -> follow(bot, target)));
    harness.drain();
    var rows = harness.rows();
    assertThat(ring)
        .allSatisfy(
            bot ->
                assertThat(suspects.get(bot.id()).orElseThrow().findings())
                    .extracting(SuspicionFinding::reason)
                    .contains(SuspicionReason.SAME_ORDER));

    harness.replay(Lane.EFFECTS);
    assertThat(harness.rows()).isEqualTo(rows);
  }

  /** Each writes its own rows before it reads those of others. */
  @Test
  void newAccounts_thatAreComparedAtOnce_areFoundByOneOfThem() {
    harness.pause();
    var targets = targets();
    var ring = IntStream.range(0, RING).mapToObj(i -> harness.world.user("bot" + i)).toList();
    ring.forEach(bot -> targets.forEach(target -> follow(bot, target)));
    var day = Timestamps.now(harness.table.clock()).truncatedTo(ChronoUnit.DAYS);
    var openings = new FollowOpenings(harness.table.table());
    ring.subList(2, RING).forEach(bot -> openings.note(bot.id(), 1, day, RING));
    harness.between.before(
        StreamHarness::writesInBulk,
        () -> assertThat(openings.note(ring.get(1).id(), 1, day, RING)).isEmpty());

    harness.handlers.apply(
        List.of(new CompareOpening(ring.getFirst().id(), 1, day, SuspicionRules.STANDARD)));

    assertThat(harness.between.happened()).isTrue();
    assertThat(ring).allMatch(bot -> suspects.get(bot.id()).isPresent());
  }

  @Test
  void newAccounts_inAnOrderOfTheirOwn_areNotListed() {
    var random = new Random(3);
    for (int i = 0; i < 2 * RING; i++) {
      var own = new ArrayList<>(targets());
      Collections.shuffle(own, random);
      var reader = harness.world.user("reader" + i);
      own.forEach(target -> follow(reader, target));
    }
    harness.drain();

    assertThat(harness.rows()).noneMatch(Suspect.class::isInstance);
    assertThat(harness.rows()).anyMatch(FollowOpening.class::isInstance);
  }

  @Test
  void ordinaryAccounts_haveNoRow() {
    var slow = harness.world.user("slow");
    var few = harness.world.user("few");
    for (var target : targets()) {
      follow(slow, target);
      harness.table.clock().advance(Duration.ofSeconds(40));
    }
    targets().subList(0, OpeningSketch.LENGTH - 1).forEach(target -> follow(few, target));
    harness.drain();

    assertThat(harness.rows())
        .noneMatch(row -> row instanceof Suspect || row instanceof FollowOpening);
  }

  private List<String> targets() {
    return IntStream.range(0, OpeningSketch.LENGTH)
        .mapToObj(i -> harness.world.user("target" + i).id())
        .toList();
  }

  private void follow(Person follower, String followee) {
    writes.follow(Follow.of(follower.id(), followee, Timestamps.now(harness.table.clock())));
    harness.table.clock().advance(Duration.ofMillis(1));
  }

  private void hasFollowed(Person person, long follows, long unfollows, long blocked) {
    Instant day = Timestamps.now(harness.table.clock()).truncatedTo(ChronoUnit.DAYS);
    harness
        .table
        .table()
        .putAll(
            List.of(
                new FollowQuota(
                    person.id(),
                    follows,
                    follows + unfollows,
                    day,
                    follows,
                    unfollows,
                    null,
                    null,
                    null,
                    blocked == 0 ? null : blocked,
                    null)));
  }
}
