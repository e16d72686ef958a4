package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.graph.Audience;
import social.feed.table.graph.AudienceMember;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.SpecialFollowOutcome;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Follow;
import social.feed.table.row.SpecialFollower;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;

/** Edge, quota and special-follower row stay consistent under concurrency. */
@ExtendWith(EngineExtension.class)
class ITSpecialFollowWriter {
  private static final int THREADS = 12;
  private static final int CAP = 3;

  private static SpecialFollowWriter specials(Table table, int cap) {
    return new SpecialFollowWriter(table, cap);
  }

  private static Table retrying(TestTable table) {
    return FaultyTable.retrying(table.table().client(), table.table().name(), 200);
  }

  /** Returns whether a follow is special, after a check that all three places agree. */
  private static boolean isSpecial(SeedWorld world, Person follower, Person followee) {
    var edge = world.follows.get(follower.id(), followee.id());
    boolean onEdge = edge.map(Follow::specialSince).isPresent();
    assertThat(world.quotas.of(follower.id()).specials().contains(followee.id()))
        .as("quota")
        .isEqualTo(onEdge);
    var rows =
        world.follows.reach(
            Audience.SPECIAL_FOLLOWERS, followee.id(), follower.id(), follower.id());
    assertThat(rows.stream().map(AudienceMember::since).toList())
        .as("row")
        .isEqualTo(edge.map(Follow::specialSince).stream().toList());
    return onEdge;
  }

  @Test
  void mark_repeat_keepsItsTime(SeedWorld world) {
    var ann = world.user("ann");
    var bob = world.user("bob");
    ann.follows(bob);
    ann.marks(bob);
    var since = world.follows.get(ann.id(), bob.id()).orElseThrow().specialSince();

    var again = world.specialFollowWriter.mark(ann.id(), bob.id(), ListContract.FIRST);

    assertThat(again).isEqualTo(SpecialFollowOutcome.DONE);
    assertThat(isSpecial(world, ann, bob)).isTrue();
    assertThat(world.follows.get(ann.id(), bob.id()).orElseThrow().specialSince()).isEqualTo(since);
  }

  @Test
  void unmark_andItsRepeat_leaveTheEdgeAsItWas(SeedWorld world) {
    var ann = world.user("ann");
    var bob = world.user("bob");
    var edge = ann.follows(bob);
    ann.marks(bob);

    assertThat(world.specialFollowWriter.unmark(ann.id(), bob.id())).isTrue();
    assertThat(world.specialFollowWriter.unmark(ann.id(), bob.id())).isFalse();
    assertThat(isSpecial(world, ann, bob)).isFalse();
    assertThat(world.follows.get(ann.id(), bob.id())).contains(edge);
  }

  @Test
  void mark_withoutAnEdge_makesNone(SeedWorld world) {
    var ann = world.user("ann");
    var bob = world.user("bob");

    assertThat(world.specialFollowWriter.mark(ann.id(), bob.id(), ListContract.FIRST))
        .isEqualTo(SpecialFollowOutcome.NOT_FOLLOWING);
    assertThat(isSpecial(world, ann, bob)).isFalse();
  }

  @Test
  void endOfAnEdge_ofAnyKind_removesAllThree(SeedWorld world) {
    var ann = world.user("ann");
    var bob = world.user("bob");
    List<Runnable> ends =
        List.of(
            () -> ann.unfollows(bob),
            () -> ann.unfollowsKeepingHistory(bob),
            () -> ann.blocks(bob),
            () -> bob.blocks(ann));
    for (var end : ends) {
      ann.unblocks(bob);
      bob.unblocks(ann);
      ann.follows(bob);
      bob.follows(ann);
      ann.marks(bob);
      bob.marks(ann);
      assertThat(isSpecial(world, ann, bob)).isTrue();

      end.run();

      assertThat(isSpecial(world, ann, bob)).isFalse();
      boolean mutual = world.follows.get(bob.id(), ann.id()).isPresent();
      assertThat(isSpecial(world, bob, ann)).isEqualTo(mutual);
    }
  }

  @Test
  void mark_manyConcurrent_neverExceedsTheCap(TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    var others = IntStream.range(0, THREADS).mapToObj(i -> world.user("x" + i)).toList();
    others.forEach(ann::follows);
    var specials = specials(retrying(table), CAP);

    var outcomes =
        AtOnce.run(THREADS, i -> specials.mark(ann.id(), others.get(i).id(), ListContract.FIRST));

    assertThat(outcomes).filteredOn(SpecialFollowOutcome.DONE::equals).hasSize(CAP);
    assertThat(outcomes)
        .filteredOn(SpecialFollowOutcome.CAP_REACHED::equals)
        .hasSize(THREADS - CAP);
    assertThat(others).filteredOn(other -> isSpecial(world, ann, other)).hasSize(CAP);
  }

  @Test
  void mark_concurrentWithAnUnfollowOrABlock_endsWithTheEdge(TestTable table, SeedWorld world) {
    for (boolean blocks : new boolean[] {false, true}) {
      var ann = world.user("ann");
      var bob = world.user("bob");
      ann.follows(bob);
      Runnable end = blocks ? () -> bob.blocks(ann) : () -> ann.unfollows(bob);
      try (var faulty = FaultyTable.of(table, new Interleaved(end))) {
        assertThat(specials(faulty.table(), CAP).mark(ann.id(), bob.id(), ListContract.FIRST))
            .isEqualTo(SpecialFollowOutcome.NOT_FOLLOWING);
      }
      assertThat(isSpecial(world, ann, bob)).isFalse();
    }
  }

  @Test
  void unfollow_concurrentWithAMark_removesIt(TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    var bob = world.user("bob");
    ann.follows(bob);
    try (var faulty = FaultyTable.of(table, new Interleaved(() -> ann.marks(bob)))) {
      var writes = new FollowWriter(faulty.table(), 5_000);
      assertThat(writes.unfollow(ann.id(), bob.id())).isTrue();
    }

    assertThat(isSpecial(world, ann, bob)).isFalse();
  }

  @Test
  void reachAfter_returnsSpecialFollowers(SeedWorld world) {
    var followee = world.user("followee");
    var fans = IntStream.range(0, 5).mapToObj(i -> world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.follows(followee));
    fans.subList(1, 5).forEach(fan -> fan.marks(followee));
    var ids = fans.subList(1, 5).stream().map(Person::id).toList();

    var first = world.follows.reachAfter(Audience.SPECIAL_FOLLOWERS, followee.id(), null, 3);
    var rest = world.follows.reachAfter(Audience.SPECIAL_FOLLOWERS, followee.id(), ids.get(2), 3);

    assertThat(first).extracting(AudienceMember::followerId).isEqualTo(ids.subList(0, 3));
    assertThat(rest).extracting(AudienceMember::followerId).isEqualTo(ids.subList(3, 4));
    assertThat(world.follows.specialFollowers(followee.id())).isEqualTo(4);
    assertThat(world.follows.specialFollowers(fans.getFirst().id())).isZero();
  }

  @Test
  void repair_afterAnyLoss_makesAllThreeMatchTheEdge(TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    var bob = world.user("bob");
    var row = SpecialFollower.key(ann.id(), bob.id());
    ann.follows(bob);
    ann.marks(bob);
    table.table().deleteAll(List.of(row));

    assertThat(world.specialFollowWriter.repair(ann.id(), bob.id())).isTrue();
    assertThat(isSpecial(world, ann, bob)).isTrue();

    ann.unfollows(bob);
    table.table().putAll(List.of(new SpecialFollower(ann.id(), bob.id(), ListContract.FIRST)));
    assertThat(world.specialFollowWriter.repair(ann.id(), bob.id())).isTrue();
    assertThat(isSpecial(world, ann, bob)).isFalse();
  }
}
