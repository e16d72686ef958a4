package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.graph.Audience;
import social.feed.table.graph.AudienceMember;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.Relationship;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.row.Follow;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/** FEED-012: whether A follows B and B follows A, for up to 30 accounts B. */
@ExtendWith(EngineExtension.class)
class ITRelationships {
  @Test
  void relationships_ofEachKind_areInTheRequestedOrder(SeedWorld world) {
    var alice = world.user("alice");
    var followee = world.user("followee");
    var fan = world.user("fan");
    var friend = world.user("friend");
    alice.follows(followee);
    fan.follows(alice);
    alice.follows(friend);
    friend.follows(alice);
    alice.marks(friend);
    fan.marks(alice);
    var others = List.of(friend.id(), "stranger", fan.id(), followee.id());

    var relationships = world.follows.relationships(alice.id(), others);

    assertThat(relationships.keySet()).containsExactlyElementsOf(others);
    assertThat(relationships.values())
        .containsExactly(
            new Relationship(true, true, true),
            new Relationship(false, false, false),
            new Relationship(false, true, false),
            new Relationship(true, false, false));
    assertThat(relationships.values())
        .extracting(Relationship::mutual)
        .containsExactly(true, false, false, false);
  }

  @Test
  void relationships_of30_areOneStrongBatchOf60Keys(TestTable table) {
    var me = Names.fresh();
    var others = IntStream.range(0, 30).mapToObj(_ -> Names.fresh()).toList();
    var follows = new FollowEdges(table.table());
    for (var other : others) {
      table.table().putAll(List.of(Follow.of(me, other, ListContract.FIRST)));
      table.table().putAll(List.of(Follow.of(other, me, ListContract.FIRST)));
    }

    var observed = Observed.of(table, () -> follows.relationships(me, others));

    var keys = observed.onlyBatch();
    assertThat(keys.consistentRead()).isTrue();
    assertThat(keys.keys()).hasSize(60);
    assertThat(observed.cost()).isEqualTo(new ConsumedUnits(60, 0));
    assertThat(observed.answer().values()).allMatch(Relationship::mutual);
  }

  @Test
  void followersAmong_areOneBatchAtHalfAUnitEach(TestTable table) {
    var me = Names.fresh();
    var others = IntStream.range(0, 100).mapToObj(_ -> Names.fresh()).toList();
    var fans = others.subList(20, 50);
    var follows = new FollowEdges(table.table());
    fans.forEach(fan -> table.table().putAll(List.of(Follow.of(fan, me, ListContract.FIRST))));
    table.table().putAll(List.of(Follow.of(me, others.getFirst(), ListContract.FIRST)));

    try (var bill = table.bill()) {
      var observed = Observed.of(table, () -> follows.followersAmong(me, others));

      var keys = observed.onlyBatch();
      assertThat(keys.consistentRead()).isNotEqualTo(true);
      assertThat(keys.keys()).hasSize(100);
      assertThat(bill.take().units()).isEqualTo(new ConsumedUnits(50, 0));
      assertThat(observed.answer()).containsExactlyInAnyOrderElementsOf(fans);
    }
  }

  @Test
  void relationships_of31_areRejectedWithoutARequest(TestTable table) {
    var follows = new FollowEdges(table.table());
    var others = IntStream.range(0, 31).mapToObj(i -> "u" + i).toList();
    table.requests().take();

    assertThatIllegalArgumentException().isThrownBy(() -> follows.relationships("me", others));
    assertThat(table.requests().take()).isEmpty();
  }

  @Test
  void relationships_withOneselfAndDuplicates_areAccepted(SeedWorld world) {
    var alice = world.user("alice");

    assertThat(world.follows.relationships(alice.id(), List.of(alice.id(), alice.id())))
        .containsExactly(Map.entry(alice.id(), new Relationship(false, false, false)));
  }

  @Test
  void followedAmong_some_returnsTheFollowedOnes(SeedWorld world) {
    var alice = world.user("alice");
    var followee = world.user("followee");
    var fan = world.user("fan");
    alice.follows(followee);
    fan.follows(alice);

    assertThat(world.follows.followedAmong(alice.id(), List.of(followee.id(), fan.id(), "x")))
        .containsExactly(followee.id());
    assertThat(world.follows.followedAmong(alice.id(), List.of())).isEmpty();
  }

  @Test
  void audience_ofAnAccount_isAllFollowersOrAnyRangeInTheOrderOfIds(TestTable table) {
    var followee = Names.fresh();
    var fans = IntStream.range(0, 7).mapToObj(_ -> Names.fresh()).toList();
    var edges = fans.stream().map(fan -> Follow.of(fan, followee, ListContract.FIRST)).toList();
    table.table().putAll(edges);
    var follows = new FollowEdges(table.table());

    assertThat(follows.reachAfter(Audience.FOLLOWERS, followee, null, fans.size() + 1))
        .extracting(AudienceMember::followerId)
        .containsExactlyElementsOf(fans);
    assertThat(follows.reach(Audience.FOLLOWERS, followee, fans.get(2), fans.get(4)))
        .extracting(AudienceMember::followerId)
        .isEqualTo(fans.subList(2, 5));
  }

  @Test
  void backfillNote_sameEdgeOnly_isRecordedOnIt(SeedWorld world) {
    var alice = world.user("alice");
    var followee = world.user("followee");
    var edge = alice.follows(followee);
    alice.unfollows(followee);
    var again = alice.follows(followee);

    assertThat(world.follows.noteBackfilled(edge, ListContract.FIRST)).isEmpty();
    assertThat(world.follows.noteBackfilled(again, ListContract.FIRST))
        .contains(ListContract.FIRST);
    assertThat(world.follows.get(alice.id(), followee.id()).orElseThrow().feedSince())
        .isEqualTo(ListContract.FIRST);
  }

  @Test
  void backfillNote_noEdge_createsNone(SeedWorld world) {
    var edge = Follow.of(Names.fresh(), Names.fresh(), ListContract.FIRST);

    assertThat(world.follows.noteBackfilled(edge, ListContract.FIRST)).isEmpty();
    assertThat(world.follows.get(edge.followerId(), edge.followeeId())).isEmpty();
  }
}
