package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.graph.BlockOutcome;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.BlocksAndMutesList;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowOutcome;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Block;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.Follow;
import social.feed.table.row.Mute;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.TestTable;

/** A block ends the edges of both directions with it, and no follow comes past it. */
@ExtendWith(EngineExtension.class)
class ITBlockWriter {
  private static final int CAP = 4;
  private static final int RACES = 40;

  private final TestTable table;
  private final BlocksAndMutes barriers;
  private final FollowQuotas quotas;
  private final FollowWriter follows;
  private final BlockWriter writes;
  private final String ann = Names.fresh();
  private final String bob = Names.fresh();

  ITBlockWriter(TestTable table) {
    this.table = table;
    this.barriers = new BlocksAndMutes(table.table(), table.clock());
    this.quotas = new FollowQuotas(table.table());
    this.follows = new FollowWriter(table.table(), 100);
    this.writes = new BlockWriter(table.table(), barriers, CAP);
  }

  @Test
  void block_isThereOnBothSides_andARepeatChangesNothing() {
    var block = block(ann, bob);

    assertThat(writes.block(block)).isEqualTo(BlockOutcome.DONE);
    assertThat(writes.block(new Block(ann, bob, block.createdAt().plusSeconds(1))))
        .isEqualTo(BlockOutcome.DONE);

    assertThat(of(ann)).containsExactly(block);
    assertThat(of(bob)).containsExactly(block.mirrored());
    assertThat(block.mirrored().mirrored()).isEqualTo(block);
  }

  @Test
  void block_endsTheEdgesBothWaysWithTheirQuotas() {
    follow(ann, bob);
    follow(bob, ann);
    follow(bob, "other");

    writes.block(block(ann, bob));

    assertNoEdges(ann, bob);
    assertThat(quotas.of(ann).following()).isZero();
    assertThat(quotas.of(bob).following()).isEqualTo(1);
  }

  @Test
  void block_withAHistoryThatWasKeptBefore_forgetsItWithTheEdge() {
    follow(bob, ann);
    follows.unfollowKeepingHistory(bob, ann, ListContract.FIRST);
    follow(bob, ann);

    writes.block(block(ann, bob));

    assertNoEdges(ann, bob);
    assertThat(new RetainedPostsStore(table.table()).keeps(bob, ann)).isFalse();
  }

  @Test
  void follow_ofOneWhoBlocksOrIsBlocked_isRefused() {
    writes.block(block(ann, bob));

    assertThat(follow(ann, bob)).isEqualTo(FollowOutcome.BLOCKED);
    assertThat(follow(bob, ann)).isEqualTo(FollowOutcome.BLOCKED);
    assertNoEdges(ann, bob);
    assertThat(quotas.of(bob).following()).isZero();
  }

  @Test
  void adopt_edgesAcrossABlock_keepsTheOthersOnly() {
    writes.block(block(ann, bob));
    writes.block(block("other", ann));
    var edges = List.of(edge(ann, bob), edge(bob, ann), edge(ann, "other"), edge(ann, "third"));

    assertThat(follows.adopt(edges)).isEqualTo(1);

    assertNoEdges(ann, bob);
    assertNoEdges(ann, "other");
    assertThat(new FollowEdges(table.table()).get(ann, "third")).isPresent();
    assertThat(quotas.of(ann).following()).isEqualTo(1);
    assertThat(quotas.of(bob).following()).isZero();
    assertThat(follows.adopt(edges)).isZero();
  }

  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void adoptBesideBlock_manyTimes_endsWithoutEdgeAndWithExactQuotas() {
    var patient = patient();
    var edges = new FollowWriter(patient, 1_000);
    var blocks = new BlockWriter(patient, barriers, 1_000);
    for (int race = 0; race < RACES; race++) {
      var other = Names.fresh();
      AtOnce.<Object>run(
          2,
          i ->
              i == 0
                  ? edges.adopt(List.of(edge(ann, other), edge(other, ann)))
                  : blocks.block(block(ann, other)));

      assertNoEdges(ann, other);
      assertThat(quotas.of(other).following()).isZero();
      assertThat(quotas.of(ann).following()).isZero();
    }
  }

  @Test
  void mend_ofABlockThatIsThere_makesItWhole_andOfOneThatIsGoneDoesNothing() {
    follow(ann, bob);
    follow(bob, ann);
    table.table().putAll(List.of(block(ann, bob)));

    assertThat(writes.mend(block(ann, bob))).isTrue();

    assertNoEdges(ann, bob);
    assertThat(of(bob)).containsExactly(block(ann, bob).mirrored());
    assertThat(quotas.of(bob).following()).isZero();
    writes.unblock(ann, bob);
    follow(bob, ann);
    assertThat(writes.mend(block(ann, bob))).isFalse();
    assertThat(of(ann)).isEmpty();
    assertThat(quotas.of(bob).following()).isEqualTo(1);
  }

  @Test
  void unblock_andItsRepeat_leaveNothing_unlessTheOtherBlocksToo() {
    writes.block(block(ann, bob));
    writes.block(block(bob, ann));
    for (int i = 0; i < 2; i++) {
      writes.unblock(ann, bob);

      assertThat(of(ann)).containsExactly(block(bob, ann).mirrored());
      assertThat(of(bob)).containsExactly(block(bob, ann));
      assertThat(follow(ann, bob)).isEqualTo(FollowOutcome.BLOCKED);
    }
    writes.unblock(bob, ann);

    assertThat(of(ann)).isEmpty();
    assertThat(of(bob)).isEmpty();
    assertThat(follow(ann, bob)).isEqualTo(FollowOutcome.FOLLOWED);
  }

  @Test
  void blockBetweenTheReadsAndTheWriteOfAFollow_refusesIt() {
    for (boolean isBlocker : new boolean[] {true, false}) {
      var from = Names.fresh();
      var to = Names.fresh();
      var block = isBlocker ? block(from, to) : block(to, from);
      try (var faulty = FaultyTable.of(table, new Interleaved(() -> writes.block(block)))) {
        assertThat(new FollowWriter(faulty.table(), 100).follow(edge(from, to)))
            .isEqualTo(FollowOutcome.BLOCKED);
      }
      assertNoEdges(from, to);
      assertThat(quotas.of(from).following()).isZero();
    }
  }

  @Test
  void followBetweenTheReadsAndTheWriteOfABlock_isEndedByIt() {
    for (boolean isBlocker : new boolean[] {true, false}) {
      var from = Names.fresh();
      var to = Names.fresh();
      var block = isBlocker ? block(from, to) : block(to, from);
      try (var faulty = FaultyTable.of(table, new Interleaved(() -> follow(from, to)))) {
        writes(faulty.table()).block(block);
      }
      assertThat(of(from)).hasSize(1);
      assertNoEdges(from, to);
      assertThat(quotas.of(from).following()).isZero();
    }
  }

  @Test
  void unfollowBetweenTheReadsAndTheWriteOfABlock_isCountedOnce() {
    follow(ann, bob);
    follow(ann, "other");
    try (var faulty = FaultyTable.of(table, new Interleaved(() -> follows.unfollow(ann, bob)))) {
      writes(faulty.table()).block(block(ann, bob));
    }

    assertThat(of(ann)).hasSize(1);
    assertThat(quotas.of(ann).following()).isEqualTo(1);
  }

  @Test
  void blockBetweenTheCountAndTheWriteOfAnother_isCounted() {
    IntStream.range(1, CAP).forEach(_ -> writes.block(block(ann, Names.fresh())));
    Runnable last = () -> writes.block(block(ann, Names.fresh()));
    try (var faulty = FaultyTable.of(table, new Interleaved(last))) {
      assertThat(writes(faulty.table()).block(block(ann, bob))).isEqualTo(BlockOutcome.CAP_REACHED);
    }
    assertThat(of(ann)).hasSize(CAP);
  }

  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void followBesideBlock_manyTimes_endsWithoutEdgeAndWithExactQuotas() {
    var patient = patient();
    var edges = new FollowWriter(patient, 1_000);
    var blocks = new BlockWriter(patient, barriers, 1_000);
    int followed = 0;
    for (int race = 0; race < RACES; race++) {
      var other = Names.fresh();
      var outcomes =
          AtOnce.run(
              3,
              i ->
                  switch (i) {
                    case 0 -> untilRefused(edges, edge(ann, other));
                    case 1 -> untilRefused(edges, edge(other, ann));
                    default -> blocks.block(block(ann, other)) != BlockOutcome.DONE;
                  });
      followed += outcomes.contains(true) ? 1 : 0;

      assertNoEdges(ann, other);
      assertThat(quotas.of(other).following()).isZero();
      assertThat(quotas.of(ann).following()).isZero();
    }
    assertThat(followed).as("races in which a follow came first").isPositive();
  }

  /** Follows again and again, and says whether the first attempt came before the block. */
  private static boolean untilRefused(FollowWriter edges, Follow edge) {
    var first = edges.follow(edge);
    var last = first;
    while (last != FollowOutcome.BLOCKED) {
      last = edges.follow(edge);
    }
    return first == FollowOutcome.FOLLOWED;
  }

  @Test
  void randomChangesAtOnce_leaveEdgesOrABlock_andQuotasThatCountTheEdges() {
    var patient = patient();
    var edges = new FollowWriter(patient, 1_000);
    var blocks = new BlockWriter(patient, barriers, 1_000);
    var people = IntStream.range(0, 3).mapToObj(_ -> Names.fresh()).toList();

    AtOnce.run(
        6,
        thread -> {
          var random = new Random(thread);
          for (int i = 0; i < 25; i++) {
            var from = people.get(random.nextInt(3));
            var to = people.get((people.indexOf(from) + 1 + random.nextInt(2)) % 3);
            change(edges, blocks, from, to, random.nextInt(6));
          }
          return true;
        });

    var stored = new FollowEdges(table.table());
    for (var from : people) {
      var of = of(from).stream().map(BlockOrMute::otherId).toList();
      var followed = stored.followedAmong(from, people);
      assertThat(followed).doesNotContainAnyElementsOf(of);
      assertThat(quotas.of(from).following()).isEqualTo(followed.size());
      for (var to : people) {
        assertThat(barriers.around(from).blocks(to))
            .isEqualTo(barriers.around(to).isBlockedBy(from));
      }
    }
  }

  private static void change(
      FollowWriter edges, BlockWriter blocks, String from, String to, int what) {
    switch (what) {
      case 0 -> blocks.block(block(from, to));
      case 1 -> blocks.unblock(from, to);
      case 2 -> edges.unfollow(from, to);
      case 3 -> edges.unfollowKeepingHistory(from, to, ListContract.FIRST);
      default -> edges.follow(Follow.of(from, to, ListContract.FIRST));
    }
  }

  @Test
  void block_atTheCap_isRefused_ARepeatAndOneAfterAnUnblockAreNot() {
    var others = IntStream.range(0, CAP).mapToObj(_ -> Names.fresh()).toList();
    others.forEach(other -> writes.block(block(ann, other)));
    follow(bob, ann);

    assertThat(writes.block(block(ann, bob))).isEqualTo(BlockOutcome.CAP_REACHED);
    assertThat(new FollowEdges(table.table()).get(bob, ann)).isPresent();
    assertThat(writes.block(block(ann, others.getFirst()))).isEqualTo(BlockOutcome.DONE);
    writes.unblock(ann, others.getFirst());
    assertThat(writes.block(block(ann, bob))).isEqualTo(BlockOutcome.DONE);
  }

  @Test
  void blocksAndMutes_manyAtOnce_neverBreakTheCap() {
    var patient = new BlockWriter(patient(), barriers, CAP);

    var blocks = AtOnce.run(10, _ -> patient.block(block(ann, Names.fresh())));
    var mutes = AtOnce.run(10, _ -> patient.mute(mute(Names.fresh(), null)));

    for (var outcomes : List.of(blocks, mutes)) {
      assertThat(outcomes).filteredOn(BlockOutcome.DONE::equals).hasSize(CAP);
    }
    assertThat(of(ann)).hasSize(CAP);
    assertThat(barriers.of(ann, BlocksAndMutesList.MUTES, PageRequest.first(50)).items())
        .hasSize(CAP);
  }

  @Test
  void mute_again_hasTheNewEnd_andUnmuteAndItsRepeatLeaveNothing() {
    var until = table.clock().instant().plus(Duration.ofHours(1));
    writes.mute(mute(bob, until));
    writes.mute(mute(bob, null));
    assertThat(mutes()).containsExactly(mute(bob, null));
    writes.mute(mute(bob, until));
    assertThat(mutes()).containsExactly(mute(bob, until));

    writes.unmute(ann, bob);
    writes.unmute(ann, bob);

    assertThat(mutes()).isEmpty();
  }

  @Test
  void mute_atTheCap_countsOnlyThoseInForceAndNotItself() {
    var soon = table.clock().instant().plus(Duration.ofHours(1));
    var others = IntStream.range(0, CAP).mapToObj(_ -> Names.fresh()).toList();
    others.forEach(other -> writes.mute(mute(other, soon)));

    assertThat(writes.mute(mute(bob, null))).isEqualTo(BlockOutcome.CAP_REACHED);
    assertThat(writes.mute(mute(others.getFirst(), null))).isEqualTo(BlockOutcome.DONE);
    table.clock().advance(Duration.ofHours(1));
    assertThat(writes.mute(mute(bob, null))).isEqualTo(BlockOutcome.DONE);
  }

  /**
   * Whoever mutes somebody else every second would fill the table, and each mute reads them all.
   */
  @Test
  void mute_afterAsManyThatHaveEndedAsMayBe_isRefusedUntilTheyAreGone() {
    for (int round = 0; round < 2; round++) {
      var soon = table.clock().instant().plus(Duration.ofHours(1));
      for (int i = 0; i < CAP; i++) {
        assertThat(writes.mute(mute(Names.fresh(), soon))).isEqualTo(BlockOutcome.DONE);
      }
      table.clock().advance(Duration.ofHours(1));
    }

    assertThat(writes.mute(mute(bob, null))).isEqualTo(BlockOutcome.CAP_REACHED);
    table
        .table()
        .deleteAll(
            List.of(
                new BlocksAndMutes(table.table(), table.clock())
                    .of(ann, BlocksAndMutesList.MUTES, new PageRequest(1, null))
                    .items()
                    .getFirst()
                    .key()));
    assertThat(writes.mute(mute(bob, null))).isEqualTo(BlockOutcome.DONE);
  }

  @Test
  void changes_conflictsWithAnotherTransaction_tryAgainAndAreThrottledInTheEnd() {
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 2))) {
      writes(faulty.table()).block(block(ann, bob));
      assertThat(of(bob)).hasSize(1);
    }
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 2))) {
      writes(faulty.table()).unblock(ann, bob);
      assertThat(of(bob)).isEmpty();
    }
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 99))) {
      var conflicting = writes(faulty.table());
      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> conflicting.block(block(ann, bob)));
      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> conflicting.unblock(ann, bob));
      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> conflicting.mute(mute(bob, null)));
    }
    assertThat(of(ann)).isEmpty();
  }

  private BlockWriter writes(Table faulty) {
    return new BlockWriter(faulty, barriers, CAP);
  }

  private Table patient() {
    return FaultyTable.patient(table.client(), table.table().name(), 10_000);
  }

  private FollowOutcome follow(String from, String to) {
    return follows.follow(Follow.of(from, to, ListContract.FIRST));
  }

  private static Follow edge(String from, String to) {
    return Follow.of(from, to, ListContract.FIRST);
  }

  private void assertNoEdges(String one, String other) {
    var stored = new FollowEdges(table.table());
    assertThat(stored.get(one, other)).isEmpty();
    assertThat(stored.get(other, one)).isEmpty();
  }

  private List<BlockOrMute> of(String user) {
    return barriers.of(user, BlocksAndMutesList.BLOCKS_BOTH_WAYS, PageRequest.first(50)).items();
  }

  private List<BlockOrMute> mutes() {
    return barriers.of(ann, BlocksAndMutesList.MUTES, PageRequest.first(50)).items();
  }

  private Mute mute(String other, @Nullable Instant until) {
    return Mute.of(ann, other, ListContract.FIRST, until);
  }

  private static Block block(String from, String to) {
    return new Block(from, to, ListContract.FIRST);
  }
}
