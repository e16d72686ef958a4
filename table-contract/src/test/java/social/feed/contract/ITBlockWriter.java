package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.graph.AdoptedFollows;
import social.feed.table.graph.BlockOutcome;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.BlocksAndMutesList;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowOutcome;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Block;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** A block ends the edges in both directions, and no concurrent follow survives it. */
@ExtendWith(EngineExtension.class)
class ITBlockWriter {
  private static final int CAP = 4;
  private static final int RACES = 40;

  private final TestTable table;
  private final BlocksAndMutes blocksAndMutes;
  private final FollowQuotas quotas;
  private final FollowWriter follows;
  private final BlockWriter writes;
  private final String ann = Names.fresh();
  private final String bob = Names.fresh();

  ITBlockWriter(TestTable table) {
    this.table = table;
    this.blocksAndMutes = new BlocksAndMutes(table.table(), table.clock());
    this.quotas = new FollowQuotas(table.table());
    this.follows = new FollowWriter(table.table(), 100);
    this.writes = new BlockWriter(table.table(), blocksAndMutes, CAP);
  }

  @Test
  void block_isStoredOnBothSides_andARepeatChangesNothing() {
    var block = block(ann, bob);

    assertThat(writes.block(block)).isEqualTo(BlockOutcome.DONE);
    assertThat(writes.block(new Block(ann, bob, block.createdAt().plusSeconds(1))))
        .isEqualTo(BlockOutcome.DONE);

    assertThat(of(ann)).containsExactly(block);
    assertThat(of(bob)).containsExactly(block.mirrored());
    assertThat(block.mirrored().mirrored()).isEqualTo(block);
  }

  @Test
  void block_endsTheEdgesInBothDirectionsAndUpdatesTheQuotas() {
    follow(ann, bob);
    follow(bob, ann);
    follow(bob, "other");

    writes.block(block(ann, bob));

    assertNoEdges(ann, bob);
    assertThat(quotas.of(ann).following()).isZero();
    assertThat(quotas.of(bob).following()).isEqualTo(1);
  }

  @Test
  void block_withPostsRetainedBefore_removesThemWithTheEdge() {
    follow(bob, ann);
    follows.unfollowKeepingHistory(bob, ann, ListContract.FIRST);
    follow(bob, ann);

    writes.block(block(ann, bob));

    assertNoEdges(ann, bob);
    assertThat(new RetainedPostsStore(table.table()).keeps(bob, ann)).isFalse();
  }

  /** They are hidden until the block ends. */
  @Test
  void block_withPostsRetainedOfAnEndedFollow_leavesThem() {
    follow(bob, ann);
    follows.unfollowKeepingHistory(bob, ann, ListContract.FIRST);

    writes.block(block(ann, bob));

    assertThat(new RetainedPostsStore(table.table()).keeps(bob, ann)).isTrue();
  }

  @Test
  void follow_ofABlockingOrBlockedAccount_isRejected() {
    writes.block(block(ann, bob));

    assertThat(follow(ann, bob)).isEqualTo(FollowOutcome.BLOCKED);
    assertThat(follow(bob, ann)).isEqualTo(FollowOutcome.BLOCKED);
    assertNoEdges(ann, bob);
    assertThat(quotas.of(bob).following()).isZero();
  }

  @Test
  void bulkInsert_ofEdgesAcrossABlock_insertsTheOthersOnly() {
    writes.block(block(ann, bob));
    writes.block(block("other", ann));
    var edges = List.of(edge(ann, bob), edge(bob, ann), edge(ann, "other"), edge(ann, "third"));

    var adopted = follows.adopt(edges);

    assertThat(adopted.written()).isEqualTo(1);
    assertThat(adopted.blocked()).isEqualTo(edges.subList(0, 3)).isEqualTo(follows.blocked(edges));

    assertNoEdges(ann, bob);
    assertNoEdges(ann, "other");
    assertThat(new FollowEdges(table.table()).get(ann, "third")).isPresent();
    assertThat(quotas.of(ann).following()).isEqualTo(1);
    assertThat(quotas.of(bob).following()).isZero();
    assertThat(follows.adopt(edges)).isEqualTo(new AdoptedFollows(0, edges.subList(0, 3)));
  }

  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void concurrentBulkInsertAndBlock_manyTimes_endWithoutEdgeAndWithExactQuotas() {
    var retrying = retrying();
    var edges = new FollowWriter(retrying, 1_000);
    var blocks = new BlockWriter(retrying, blocksAndMutes, 1_000);
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
  void repair_ofAnExistingBlock_completesIt_andOfADeletedOneDoesNothing() {
    follow(ann, bob);
    follow(bob, ann);
    table.table().putAll(List.of(block(ann, bob)));

    assertThat(writes.repair(block(ann, bob))).isTrue();

    assertNoEdges(ann, bob);
    assertThat(of(bob)).containsExactly(block(ann, bob).mirrored());
    assertThat(quotas.of(bob).following()).isZero();
    writes.unblock(ann, bob);
    follow(bob, ann);
    assertThat(writes.repair(block(ann, bob))).isFalse();
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

  /**
   * A follower and a followee.
   *
   * @param isBlocker whether the follower is the one who blocks
   */
  private record Pair(String from, String to, boolean isBlocker) {}

  /** Returns pairs that follow others, without blocks and with blocks of others. */
  private List<Pair> pairs() {
    var pairs =
        Stream.of(true, false, true, false)
            .map(isBlocker -> new Pair(Names.fresh(), Names.fresh(), isBlocker))
            .toList();
    for (var pair : pairs) {
      follow(pair.from(), Names.fresh());
      follow(pair.to(), Names.fresh());
    }
    for (var pair : pairs.subList(2, 4)) {
      writes.block(block(Names.fresh(), pair.from()));
      writes.block(block(Names.fresh(), pair.to()));
    }
    return pairs;
  }

  @Test
  void quota_saysWhetherBlocksOrMutesMayNameItsUser() {
    var quiet = Names.fresh();
    for (var user : List.of(ann, bob, quiet)) {
      follow(user, "other");
      assertThat(quotas.of(user).isUnrelated()).isTrue();
    }

    writes.mute(mute(bob, null));
    writes.block(block(bob, quiet));

    for (var user : List.of(ann, bob, quiet)) {
      assertThat(quotas.of(user).isUnrelated()).as(user).isFalse();
      follow(user, Names.fresh());
      assertThat(quotas.of(user).isUnrelated()).as(user).isFalse();
    }
  }

  /** The rows of a block become visible together, so the quota must already say so before. */
  @Test
  void quotaOfTheBlockedAccount_saysSoBeforeTheBlockIsWritten() {
    follow(bob, Names.fresh());
    var before = new ArrayList<Boolean>();
    ExecutionInterceptor watch =
        new ExecutionInterceptor() {
          @Override
          public void beforeExecution(
              Context.BeforeExecution context, ExecutionAttributes attributes) {
            if (context.request() instanceof TransactWriteItemsRequest transaction
                && transaction.transactItems().size() > 1) {
              before.add(quotas.of(bob).isUnrelated());
            }
          }
        };
    try (var faulty = FaultyTable.of(table, watch)) {
      writes(faulty.table()).block(block(ann, bob));
    }
    assertThat(before).containsExactly(false);
  }

  @Test
  void block_betweenTheReadsAndTheWriteOfAFollow_rejectsIt() {
    for (var pair : pairs()) {
      var from = pair.from();
      var to = pair.to();
      var block = pair.isBlocker() ? block(from, to) : block(to, from);
      try (var faulty = FaultyTable.of(table, new Interleaved(() -> writes.block(block)))) {
        assertThat(new FollowWriter(faulty.table(), 100).follow(edge(from, to)))
            .isEqualTo(FollowOutcome.BLOCKED);
      }
      assertNoEdges(from, to);
      assertThat(quotas.of(from).following()).isEqualTo(1);
    }
  }

  @Test
  void follow_betweenTheReadsAndTheWriteOfABlock_isEndedByIt() {
    for (var pair : pairs()) {
      var from = pair.from();
      var to = pair.to();
      var block = pair.isBlocker() ? block(from, to) : block(to, from);
      try (var faulty = FaultyTable.of(table, new Interleaved(() -> follow(from, to)))) {
        writes(faulty.table()).block(block);
      }
      assertThat(blocksAndMutes.around(from).separates(to)).isTrue();
      assertNoEdges(from, to);
      assertThat(quotas.of(from).following()).isEqualTo(1);
    }
  }

  @Test
  void unfollow_betweenTheReadsAndTheWriteOfABlock_isCountedOnce() {
    follow(ann, bob);
    follow(ann, "other");
    try (var faulty = FaultyTable.of(table, new Interleaved(() -> follows.unfollow(ann, bob)))) {
      writes(faulty.table()).block(block(ann, bob));
    }

    assertThat(of(ann)).hasSize(1);
    assertThat(quotas.of(ann).following()).isEqualTo(1);
  }

  @Test
  void blocks_ofOneAccountByManyOthers_neverRejectEachOther() {
    follow(bob, Names.fresh());
    writes.block(block(Names.fresh(), bob));
    var before = quotas.of(bob);
    var name = table.table().name();
    var once = writes(FaultyTable.retrying(table.client(), name, 1));
    Runnable another = () -> once.block(block(Names.fresh(), bob));
    try (var client = table.newClient(new Interleaved(another))) {
      var late = writes(FaultyTable.retrying(client, name, 1));
      assertThat(late.block(block(ann, bob))).isEqualTo(BlockOutcome.DONE);
    }

    var outcomes = AtOnce.run(64, _ -> once.block(block(Names.fresh(), bob)));

    assertThat(outcomes).containsOnly(BlockOutcome.DONE);
    assertThat(new TableScanner(table.table()).count(Keys.user(bob), "BLOCKEDBY#")).isEqualTo(67);
    assertThat(quotas.of(bob)).as("not written").isEqualTo(before);
  }

  @Test
  void block_betweenTheCountAndTheWriteOfAnother_isCounted() {
    IntStream.range(1, CAP).forEach(_ -> writes.block(block(ann, Names.fresh())));
    Runnable last = () -> writes.block(block(ann, Names.fresh()));
    try (var faulty = FaultyTable.of(table, new Interleaved(last))) {
      assertThat(writes(faulty.table()).block(block(ann, bob))).isEqualTo(BlockOutcome.CAP_REACHED);
    }
    assertThat(of(ann)).hasSize(CAP);
  }

  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void concurrentFollowAndBlock_manyTimes_endWithoutEdgeAndWithExactQuotas() {
    var retrying = retrying();
    var edges = new FollowWriter(retrying, 1_000);
    var blocks = new BlockWriter(retrying, blocksAndMutes, 1_000);
    int followed = 0;
    for (int race = 0; race < RACES; race++) {
      var other = Names.fresh();
      var outcomes =
          AtOnce.run(
              3,
              i ->
                  switch (i) {
                    case 0 -> untilRejected(edges, edge(ann, other));
                    case 1 -> untilRejected(edges, edge(other, ann));
                    default -> blocks.block(block(ann, other)) != BlockOutcome.DONE;
                  });
      followed += outcomes.contains(true) ? 1 : 0;

      assertNoEdges(ann, other);
      assertThat(quotas.of(other).following()).isZero();
      assertThat(quotas.of(ann).following()).isZero();
    }
    assertThat(followed).as("races in which a follow came first").isPositive();
  }

  /**
   * Repeats a follow until it is rejected.
   *
   * @return whether the first attempt preceded the block
   */
  private static boolean untilRejected(FollowWriter edges, Follow edge) {
    var first = edges.follow(edge);
    var last = first;
    while (last != FollowOutcome.BLOCKED) {
      last = edges.follow(edge);
    }
    return first == FollowOutcome.FOLLOWED;
  }

  @Test
  void concurrentRandomChanges_leaveEdgesOrABlock_andQuotasThatCountTheEdges() {
    var retrying = retrying();
    var edges = new FollowWriter(retrying, 1_000);
    var blocks = new BlockWriter(retrying, blocksAndMutes, 1_000);
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
      assertThat(followed).noneMatch(of::contains);
      assertThat(quotas.of(from).following()).isEqualTo(followed.size());
      for (var to : people) {
        assertThat(blocksAndMutes.around(from).blocks(to))
            .isEqualTo(blocksAndMutes.around(to).isBlockedBy(from));
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
  void block_atTheCap_isRejected_aRepeatAndOneAfterAnUnblockAreNot() {
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
  void blocksAndMutes_manyConcurrent_neverExceedTheCap() {
    var retrying = new BlockWriter(retrying(), blocksAndMutes, CAP);

    var blocks = AtOnce.run(10, _ -> retrying.block(block(ann, Names.fresh())));
    var mutes = AtOnce.run(10, _ -> retrying.mute(mute(Names.fresh(), null)));

    for (var outcomes : List.of(blocks, mutes)) {
      assertThat(outcomes).filteredOn(BlockOutcome.DONE::equals).hasSize(CAP);
    }
    assertThat(of(ann)).hasSize(CAP);
    assertThat(blocksAndMutes.of(ann, BlocksAndMutesList.MUTES, PageRequest.first(50)).items())
        .hasSize(CAP);
  }

  @Test
  void mute_repeated_hasTheNewEnd_andUnmuteAndItsRepeatLeaveNothing() {
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
  void mute_atTheCap_countsOnlyOthersInForce() {
    var soon = table.clock().instant().plus(Duration.ofHours(1));
    var others = IntStream.range(0, CAP).mapToObj(_ -> Names.fresh()).toList();
    others.forEach(other -> writes.mute(mute(other, soon)));

    assertThat(writes.mute(mute(bob, null))).isEqualTo(BlockOutcome.CAP_REACHED);
    assertThat(writes.mute(mute(others.getFirst(), null))).isEqualTo(BlockOutcome.DONE);
    table.clock().advance(Duration.ofHours(1));
    assertThat(writes.mute(mute(bob, null))).isEqualTo(BlockOutcome.DONE);
  }

  /** An inbox that saw no mute would go on to include the notifications of the muted account. */
  @Test
  void mute_whileAnInboxIsCreated_isNotedInIt(SeedWorld world) {
    var dora = world.user("dora").id();
    var at = ListContract.FIRST;
    world.notifications.add(
        new Notification(
            dora,
            TimeOrderedId.named(at, dora, bob),
            NotificationType.FOLLOW,
            bob,
            null,
            at,
            false,
            4_000_000_000L,
            null));
    Runnable settling =
        () -> {
          world.notifications.unreadCount(dora);
          world.inboxes.advance(dora);
          world.notifications.unreadCount(dora);
        };
    try (var faulty = FaultyTable.of(table, new Interleaved(settling))) {
      assertThat(writes(faulty.table()).mute(Mute.of(dora, bob, at, null)))
          .isEqualTo(BlockOutcome.DONE);
    }

    assertThat(world.notifications.inbox(dora).unread()).isEqualTo(1);
    assertThat(world.notifications.unreadCount(dora)).isZero();
  }

  /**
   * A user who mutes another account every second would fill the table, and each mute reads all of
   * them.
   */
  @Test
  void mute_afterTheMaximumOfEndedMutes_isRejectedUntilTheyAreGone() {
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
  void changes_inConflictWithATransaction_retryAndAreThrottledInTheEnd() {
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
    return new BlockWriter(faulty, blocksAndMutes, CAP);
  }

  private Table retrying() {
    return FaultyTable.retrying(table.client(), table.table().name(), 10_000);
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
    return blocksAndMutes
        .of(user, BlocksAndMutesList.BLOCKS_BOTH_WAYS, PageRequest.first(50))
        .items();
  }

  private List<BlockOrMute> mutes() {
    return blocksAndMutes.of(ann, BlocksAndMutesList.MUTES, PageRequest.first(50)).items();
  }

  private Mute mute(String other, @Nullable Instant until) {
    return Mute.of(ann, other, ListContract.FIRST, until);
  }

  private static Block block(String from, String to) {
    return new Block(from, to, ListContract.FIRST);
  }
}
