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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowCapException;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowOutcome;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.graph.UnfollowOutcome;
import social.feed.table.graph.UnfollowOutcome.KeepsTooMany;
import social.feed.table.graph.UnfollowOutcome.Unfollowed;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Block;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.RetainedPosts;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.PagingLaw;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.WiredClient;

/** An edge and the quota of its follower change together, so cap and count are exact. */
@ExtendWith(EngineExtension.class)
class ITFollowWriter {
  private static final int THREADS = 16;
  private static final int CAP = 5;

  @Test
  void follow_repeat_changesNothing(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var edge = edge(Names.fresh());
    var later = Follow.of(edge.followerId(), edge.followeeId(), edge.createdAt().plusSeconds(5));

    assertThat(writes.follow(edge)).isEqualTo(FollowOutcome.FOLLOWED);
    assertThat(writes.follow(later)).isEqualTo(FollowOutcome.ALREADY_FOLLOWING);
    assertThat(edgesOf(table, edge.followerId())).containsExactly(edge.createdAt());
    assertQuota(table, edge.followerId(), 1, 1);
  }

  @Test
  void follow_atTheCap_isRejectedAndARepeatIsNot(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var follower = Names.fresh();
    var edges = IntStream.range(0, CAP).mapToObj(_ -> edge(follower)).toList();
    edges.forEach(writes::follow);

    assertThat(writes.follow(edge(follower))).isEqualTo(FollowOutcome.CAP_REACHED);
    assertThat(writes.follow(edges.getFirst())).isEqualTo(FollowOutcome.ALREADY_FOLLOWING);
    assertThat(edgesOf(table, follower)).hasSize(CAP);
    assertThat(writes.unfollow(follower, edges.getFirst().followeeId())).isTrue();
    assertThat(writes.follow(edge(follower))).isEqualTo(FollowOutcome.FOLLOWED);
  }

  @Test
  void follow_manyConcurrent_neverExceedsTheCap(TestTable table) {
    var writes = retrying(table, CAP);
    var follower = Names.fresh();

    var outcomes = AtOnce.run(THREADS, _ -> writes.follow(edge(follower)));

    assertThat(outcomes).filteredOn(FollowOutcome.FOLLOWED::equals).hasSize(CAP);
    assertThat(outcomes).filteredOn(FollowOutcome.CAP_REACHED::equals).hasSize(THREADS - CAP);
    assertThat(edgesOf(table, follower)).hasSize(CAP);
    assertThat(quotas(table).of(follower).following()).isEqualTo(CAP);
  }

  @Test
  void follow_oneAccountManyTimesConcurrently_isOneEdge(TestTable table) {
    var writes = retrying(table, 5_000);
    var edge = edge(Names.fresh());

    var outcomes = AtOnce.run(THREADS, _ -> writes.follow(edge));

    assertThat(outcomes).filteredOn(FollowOutcome.FOLLOWED::equals).hasSize(1);
    assertThat(quotas(table).of(edge.followerId()).following()).isEqualTo(1);
  }

  @Test
  void unfollow_noEdge_isFalseAndChangesNothing(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var edge = edge(Names.fresh());
    writes.follow(edge);

    assertThat(writes.unfollow(edge.followerId(), "unknown")).isFalse();
    assertThat(writes.unfollow("stranger", edge.followeeId())).isFalse();
    assertThat(quotas(table).of(edge.followerId()).following()).isEqualTo(1);
    assertThat(quotas(table).of("stranger")).isEqualTo(FollowQuota.none("stranger"));
  }

  @Test
  void unfollow_keepingPostsOrNot_removesTheEdgeEitherWay(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    for (boolean keepHistory : new boolean[] {false, true}) {
      var edge = edge(Names.fresh());
      writes.follow(edge);

      assertThat(end(writes, edge, keepHistory)).isTrue();
      assertThat(end(writes, edge, keepHistory)).isFalse();
      assertThat(end(writes, edge, !keepHistory)).isFalse();
      assertThat(quotas(table).of(edge.followerId()).following()).isZero();
      assertThat(edgesOf(table, edge.followerId())).isEmpty();
      assertThat(keeps(table, edge)).isEqualTo(keepHistory);
    }
  }

  @Test
  void unfollow_afterOneThatRetainedPosts_removesThem(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var edge = edge(Names.fresh());
    writes.follow(edge);
    end(writes, edge, true);
    writes.follow(edge);
    assertThat(keeps(table, edge)).as("a new edge keeps it").isTrue();

    assertThat(end(writes, edge, false)).isTrue();

    assertThat(keeps(table, edge)).isFalse();
    assertQuota(table, edge.followerId(), 0, 4);
  }

  /** What the first one kept is not forgotten. */
  @Test
  void unfollow_afterOneThatRetainedPosts_retainsThemAsFarBack(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var first = edge(Names.fresh());
    writes.follow(first);
    end(writes, first, true);
    var kept = retained(table, first);
    var later =
        Follow.of(
            first.followerId(), first.followeeId(), first.createdAt().plus(Duration.ofDays(1)));
    writes.follow(later);

    assertThat(end(writes, later, true)).isTrue();

    assertThat(retained(table, later).since()).isEqualTo(kept.since());
    assertThat(retained(table, later).until()).isAfter(kept.until());
  }

  /** Posts that a reader keeps stay in the feed from the moment of the unfollow. */
  @Test
  void retainedPosts_ofSomeAuthors_areOneStrongBatch(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var edge = edge(Names.fresh());
    writes.follow(edge);
    end(writes, edge, true);
    var authors = List.of(edge.followeeId(), Names.fresh());

    var observed =
        Observed.of(
            table, () -> new RetainedPostsStore(table.table()).of(edge.followerId(), authors));

    assertThat(observed.onlyBatch().consistentRead()).isTrue();
    assertThat(observed.answer())
        .extracting(RetainedPosts::authorId)
        .containsExactly(edge.followeeId());
  }

  @Test
  void unfollow_concurrentWithOneThatRetainsPosts_leavesNoRetainedPosts(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var edge = edge(Names.fresh());
    writes.follow(edge);
    var wire =
        new TornBatch(
            RetainedPosts.key(edge.followerId(), edge.followeeId()),
            () -> {
              end(writes, edge, true);
              writes.follow(edge);
            });
    var torn = FaultyTable.retrying(WiredClient.of(table.client(), wire), table.table().name(), 5);

    assertThat(end(new FollowWriter(torn, CAP), edge, false)).isTrue();

    assertThat(wire.happened()).isTrue();
    assertThat(keeps(table, edge)).isFalse();
  }

  @Test
  void unfollow_retainingPostsOfTooMany_isRejected_andTheEdgeStays(TestTable table) {
    var follower = Names.fresh();
    var writes = new FollowWriter(table.table(), CAP, 2, FollowRateLimit.ANY);
    var edges = edges(follower, 3);
    edges.forEach(writes::follow);
    assertThat(leave(writes, edges.get(0), true)).isInstanceOf(Unfollowed.class);
    assertThat(leave(writes, edges.get(1), true)).isInstanceOf(Unfollowed.class);

    assertThat(leave(writes, edges.get(2), true)).isInstanceOf(KeepsTooMany.class);

    assertThat(edgesOf(table, follower)).hasSize(1);
    assertThat(keeps(table, edges.get(2))).isFalse();
    writes.follow(edges.get(0));
    assertThat(leave(writes, edges.get(0), true)).as("a repeat").isInstanceOf(Unfollowed.class);
    writes.follow(edges.get(0));
    assertThat(leave(writes, edges.get(0), false)).isInstanceOf(Unfollowed.class);
    assertThat(leave(writes, edges.get(2), true))
        .as("after one was removed")
        .isInstanceOf(Unfollowed.class);
  }

  @Test
  void concurrentUnfollows_retainingPosts_neverExceedTheCap(TestTable table) {
    var follower = Names.fresh();
    var retrying = FaultyTable.retrying(table.client(), table.table().name(), 10_000);
    var writes = new FollowWriter(retrying, 100, 5, FollowRateLimit.ANY);
    var edges = edges(follower, 16);
    edges.forEach(writes::follow);

    var outcomes = AtOnce.run(16, i -> leave(writes, edges.get(i), true) instanceof Unfollowed);

    assertThat(outcomes.stream().filter(isDone -> isDone)).hasSize(5);
    assertThat(edges.stream().filter(edge -> keeps(table, edge))).hasSize(5);
    assertThat(edgesOf(table, follower)).hasSize(11);
  }

  private static UnfollowOutcome leave(FollowWriter writes, Follow edge, boolean keepsHistory) {
    return writes.leave(edge.followerId(), edge.followeeId(), keepsHistory, edge.createdAt());
  }

  private static boolean end(FollowWriter writes, Follow edge, boolean keepHistory) {
    return keepHistory
        ? writes.unfollowKeepingHistory(edge.followerId(), edge.followeeId(), edge.createdAt())
        : writes.unfollow(edge.followerId(), edge.followeeId());
  }

  private static RetainedPosts retained(TestTable table, Follow edge) {
    return new RetainedPostsStore(table.table())
        .of(edge.followerId(), List.of(edge.followeeId())).stream().findFirst().orElseThrow();
  }

  private static boolean keeps(TestTable table, Follow edge) {
    return new RetainedPostsStore(table.table()).keeps(edge.followerId(), edge.followeeId());
  }

  @Test
  void changes_inConflictWithATransaction_retry(TestTable table) {
    var edge = edge(Names.fresh());
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 2))) {
      assertThat(new FollowWriter(faulty.table(), CAP).follow(edge))
          .isEqualTo(FollowOutcome.FOLLOWED);
    }
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 2))) {
      var writes = new FollowWriter(faulty.table(), CAP);
      assertThat(writes.unfollow(edge.followerId(), edge.followeeId())).isTrue();
      assertQuota(table, edge.followerId(), 0, 2);
    }
  }

  @Test
  void changes_inEndlessConflict_areThrottled(TestTable table) {
    var edge = edge(Names.fresh());
    var there = edge(Names.fresh());
    new FollowWriter(table.table(), CAP).follow(there);
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 99))) {
      var writes = new FollowWriter(faulty.table(), CAP);

      assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> writes.follow(edge));
      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> writes.adopt(List.of(edge)));
      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> writes.unfollow(there.followerId(), there.followeeId()));
    }
    assertThat(edgesOf(table, edge.followerId())).isEmpty();
  }

  @Test
  void bulkInsert_ofNewEdges_insertsAllAndTheQuota(TestTable table) {
    var writes = new FollowWriter(table.table(), 5_000);
    var follower = Names.fresh();
    var edges = edges(follower, FollowWriter.MAX_ADOPTED - 1);

    assertThat(writes.adopt(edges).written()).isEqualTo(99);
    assertThat(writes.adopt(edges).written()).isZero();
    assertThat(edgesOf(table, follower)).hasSize(99);
    assertQuota(table, follower, 99, 1);
  }

  @Test
  void bulkInsert_ofPartlyExistingEdges_addsTheMissingOnes(TestTable table) {
    var writes = new FollowWriter(table.table(), 5_000);
    var follower = Names.fresh();
    var edges = edges(follower, 10);
    edges.subList(0, 4).forEach(writes::follow);
    var later =
        edges.stream().map(e -> Follow.imported(follower, e.followeeId(), e.createdAt())).toList();

    assertThat(writes.adopt(later).written()).isEqualTo(6);
    assertThat(quotas(table).of(follower).following()).isEqualTo(10);
    var follows = new FollowEdges(table.table());
    assertThat(later)
        .extracting(e -> follows.get(follower, e.followeeId()).orElseThrow().silent())
        .containsExactly(false, false, false, false, true, true, true, true, true, true);
  }

  /** Each edge of a user who may be in blocks needs a check of its own. */
  @Test
  void bulkInsert_ofAUserInABlock_mayTakeTwoTransactions(TestTable table) {
    var writes = new FollowWriter(table.table(), 5_000);
    var blocks =
        new BlockWriter(table.table(), new BlocksAndMutes(table.table(), table.clock()), 100);
    var follower = Names.fresh();
    var edges = edges(follower, FollowWriter.MAX_ADOPTED - 1);
    var across = edges.getLast().followeeId();
    blocks.block(new Block(across, follower, ListContract.FIRST));

    assertThat(writes.adopt(edges).written()).isEqualTo(98);
    assertThat(writes.adopt(edges).written()).isZero();
    assertThat(edgesOf(table, follower)).hasSize(98);
    assertQuota(table, follower, 98, 3);
  }

  /** The quota of a user whom others block already does not change with one more block. */
  @Test
  void bulkInsert_ofAnEdgeAcrossABlockThatIsWrittenMeanwhile_leavesItOut(TestTable table) {
    var blocks =
        new BlockWriter(table.table(), new BlocksAndMutes(table.table(), table.clock()), 100);
    var edges = edges(Names.fresh(), 2);
    var follower = edges.getFirst().followerId();
    blocks.block(new Block(Names.fresh(), follower, ListContract.FIRST));
    var block = new Block(edges.getLast().followeeId(), follower, ListContract.FIRST);

    try (var faulty = FaultyTable.of(table, new Interleaved(() -> blocks.block(block)))) {
      assertThat(new FollowWriter(faulty.table(), CAP).adopt(edges).written()).isEqualTo(1);
    }

    assertThat(new FollowEdges(table.table()).followees(follower))
        .containsExactly(edges.getFirst().followeeId());
    assertThat(quotas(table).of(follower).following()).isEqualTo(1);
  }

  @Test
  void bulkInsert_overTheCap_writesNothing(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var follower = Names.fresh();
    writes.follow(edge(follower));

    assertThatExceptionOfType(FollowCapException.class)
        .isThrownBy(() -> writes.adopt(edges(follower, CAP)))
        .withMessageContaining(follower);
    assertThat(edgesOf(table, follower)).hasSize(1);
    assertThat(quotas(table).of(follower).following()).isEqualTo(1);
    assertThat(writes.adopt(edges(follower, CAP - 1)).written()).isEqualTo(CAP - 1);
  }

  @Test
  void bulkInsert_ofSeveralFollowersEdges_countsInEachQuota(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var one = edges(Names.fresh(), 3);
    var other = edges(Names.fresh(), 2);
    writes.follow(other.getFirst());

    assertThat(writes.adopt(Stream.concat(one.stream(), other.stream()).toList()).written())
        .isEqualTo(4);

    for (var edges : List.of(one, other)) {
      var follower = edges.getFirst().followerId();
      assertThat(edgesOf(table, follower)).hasSize(edges.size());
      assertThat(quotas(table).of(follower).following()).isEqualTo(edges.size());
    }
  }

  @Test
  void bulkInsert_withOneFollowerOverTheCap_writesNothing(TestTable table) {
    var writes = new FollowWriter(table.table(), CAP);
    var within = edges(Names.fresh(), 1);
    var over = edges(Names.fresh(), CAP + 1);

    assertThatExceptionOfType(FollowCapException.class)
        .isThrownBy(() -> writes.adopt(Stream.concat(within.stream(), over.stream()).toList()))
        .withMessageContaining(over.getFirst().followerId());
    assertThat(edgesOf(table, within.getFirst().followerId())).isEmpty();
    assertThat(edgesOf(table, over.getFirst().followerId())).isEmpty();
  }

  @Test
  void bulkInsert_concurrentWithFollowsOfTheSameUser_losesNeither(TestTable table) {
    var writes = retrying(table, 5_000);
    var follower = Names.fresh();
    var edges = edges(follower, 20);

    AtOnce.<Object>run(8, i -> i % 2 == 0 ? writes.adopt(edges) : writes.follow(edges.get(i)));

    assertThat(edgesOf(table, follower)).hasSize(20);
    assertThat(quotas(table).of(follower).following()).isEqualTo(20);
  }

  @Test
  void quota_afterConcurrentRandomChanges_equalsTheEdges(TestTable table) {
    var writes = retrying(table, 7);
    var follower = Names.fresh();
    var followees = IntStream.range(0, 10).mapToObj(_ -> Names.fresh()).toList();

    var deltas =
        AtOnce.run(
            8,
            thread -> {
              var random = new Random(thread);
              var outcomes = new ArrayList<Integer>();
              for (int i = 0; i < 25; i++) {
                var followee = followees.get(random.nextInt(10));
                outcomes.add(change(writes, follower, followee, random));
              }
              return outcomes.stream().mapToInt(n -> n).sum();
            });

    int expected = deltas.stream().mapToInt(n -> n).sum();
    assertThat(edgesOf(table, follower)).hasSize(expected);
    assertThat(quotas(table).of(follower).following()).isEqualTo(expected).isLessThanOrEqualTo(7);
  }

  private static int change(FollowWriter writes, String from, String to, Random random) {
    if (random.nextInt(5) < 3) {
      var edge = Follow.of(from, to, ListContract.FIRST);
      return writes.follow(edge) == FollowOutcome.FOLLOWED ? 1 : 0;
    }
    return end(writes, Follow.of(from, to, ListContract.FIRST), random.nextBoolean()) ? -1 : 0;
  }

  private static void assertQuota(TestTable table, String userId, long following, long version) {
    assertThat(quotas(table).of(userId))
        .extracting(FollowQuota::following, FollowQuota::version)
        .containsExactly(following, version);
  }

  private static FollowQuotas quotas(TestTable table) {
    return new FollowQuotas(table.table());
  }

  private static FollowWriter retrying(TestTable table, long cap) {
    return new FollowWriter(
        FaultyTable.retrying(table.client(), table.table().name(), 10_000), cap);
  }

  private static List<Follow> edges(String follower, int count) {
    return IntStream.range(0, count).mapToObj(_ -> edge(follower)).toList();
  }

  private static Follow edge(String follower) {
    return Follow.of(follower, Names.fresh(), ListContract.FIRST);
  }

  private static List<Instant> edgesOf(TestTable table, String follower) {
    var follows = new FollowEdges(table.table());
    return PagingLaw.read((PageRequest request) -> follows.following(follower, request), 100)
        .stream()
        .map(ref -> ref.createdAt())
        .toList();
  }
}
