package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.BlocksAndMutesList;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Block;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Mute;
import social.feed.table.row.Row;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.PagingLaw;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** FEED-014: the base table, strongly consistent; and what is made of it for one request. */
@ExtendWith(EngineExtension.class)
class ITBlocksAndMutesOfUser {
  private static final int MOST = AccessPattern.FEED_014.maxPage();

  private final TestTable table;
  private final BlocksAndMutes barriers;
  private final String user = Names.fresh();

  ITBlocksAndMutesOfUser(TestTable table) {
    this.table = table;
    this.barriers = new BlocksAndMutes(table.table(), table.clock());
  }

  @Test
  void page_anyPosition_isOneStrongQueryOfTheTable() {
    block(5);
    var first =
        Observed.of(
            table, () -> barriers.of(user, BlocksAndMutesList.BLOCKS, PageRequest.first(2)));
    var second =
        Observed.of(
            table,
            () ->
                barriers.of(
                    user, BlocksAndMutesList.BLOCKS, new PageRequest(2, first.answer().next())));

    for (var observed : List.of(first, second)) {
      var query = observed.only(QueryRequest.class);
      assertThat(query.indexName()).isNull();
      assertThat(query.consistentRead()).isTrue();
      assertThat(query.limit()).isEqualTo(2);
      assertThat(query.filterExpression()).isNull();
    }
  }

  @Test
  void page_ofTheMaximum_costsExactly() {
    var blocks = block(MOST + 1);

    var page =
        Observed.of(
            table, () -> barriers.of(user, BlocksAndMutesList.BLOCKS, PageRequest.first(MOST)));

    assertThat(page.answer().items()).isEqualTo(blocks.subList(0, MOST));
    assertThat(page.requests()).hasSize(1);
    assertThat(page.cost()).isEqualTo(new ConsumedUnits(15, 0));
  }

  @Test
  void page_overTheMaximum_isRefusedBeforeAnythingIsSent() {
    table.requests().take();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> barriers.of(user, BlocksAndMutesList.MUTES, PageRequest.first(MOST + 2)))
        .withMessageContaining("FEED-014");
    assertThat(table.requests().take()).isEmpty();
  }

  @Test
  void paging_eachList_isTheLawOfPaging() {
    var blocks = block(7);
    var blockedBy = new BlockedBy(user, Names.fresh(), ListContract.FIRST);
    var mute = Mute.of(user, Names.fresh(), ListContract.FIRST, null);
    table.table().putAll(List.of(blockedBy, mute));

    PagingLaw.holds(request -> barriers.of(user, BlocksAndMutesList.BLOCKS, request), blocks);
    PagingLaw.holds(
        request -> barriers.of(user, BlocksAndMutesList.MUTES, request),
        List.<BlockOrMute>of(mute));
    var both = new ArrayList<>(blocks);
    both.add(blockedBy);
    PagingLaw.holds(
        request -> barriers.of(user, BlocksAndMutesList.BLOCKS_BOTH_WAYS, request), both);
  }

  @Test
  void boundary_askedManyTimes_isOneQueryForBlocksAndOneForMutes() {
    var blocked = block(2).getFirst().otherId();
    var blocker = plant(new BlockedBy(user, Names.fresh(), ListContract.FIRST));
    var muted = plant(Mute.of(user, Names.fresh(), ListContract.FIRST, null));
    var boundary = barriers.around(user);

    var asked =
        Observed.of(
            table,
            () -> {
              assertThat(boundary.separated(List.of(blocked, blocker, muted, "x")))
                  .containsExactlyInAnyOrder(blocked, blocker);
              assertThat(boundary.silenced(List.of(blocked, blocker, muted, "x")))
                  .containsExactlyInAnyOrder(blocked, blocker, muted);
              assertThat(List.of(blocked, blocker, muted, "x"))
                  .extracting(boundary::blocks)
                  .containsExactly(true, false, false, false);
              assertThat(List.of(blocked, blocker, muted, "x"))
                  .extracting(boundary::isBlockedBy)
                  .containsExactly(false, true, false, false);
              assertThat(List.of(blocked, blocker, muted, "x"))
                  .extracting(boundary::mutes)
                  .containsExactly(false, false, true, false);
              return boundary.separates("y");
            });

    assertThat(asked.answer()).isFalse();
    assertThat(asked.requests()).hasSize(2).allMatch(QueryRequest.class::isInstance);
    assertThat(asked.cost()).isEqualTo(new ConsumedUnits(2, 0));
  }

  @Test
  void boundary_askedOfOneselfOrNobody_readsNothing() {
    var boundary = barriers.around(user);
    table.requests().take();

    assertThat(boundary.silenced(List.of(user))).isEmpty();
    assertThat(boundary.separated(Set.of())).isEmpty();
    assertThat(table.requests().take()).isEmpty();
  }

  /** Somebody whom very many block has no more to read than the others. */
  @Test
  void boundary_ofMoreThanAQueryBrings_looksUpTheAccountsInQuestionOnce() {
    block(MOST);
    var last = plant(new BlockedBy(user, "zz" + Names.fresh(), ListContract.FIRST));
    var boundary = barriers.around(user);

    var asked = Observed.of(table, () -> boundary.separated(List.of(last, "x", "y")));

    assertThat(asked.answer()).containsExactly(last);
    assertThat(asked.requests()).hasSize(2);
    assertThat(((QueryRequest) asked.requests().getFirst()).limit()).isEqualTo(MOST);
    var batch = (BatchGetItemRequest) asked.requests().getLast();
    assertThat(batch.requestItems().values().iterator().next().keys()).hasSize(6);
    var again = Observed.of(table, () -> boundary.separated(List.of(last, "x", "y")));
    assertThat(again.answer()).containsExactly(last);
    assertThat(again.requests()).isEmpty();
  }

  @Test
  void mute_endsAtItsTimeExactly() {
    var other = Names.fresh();
    var now = table.clock().instant();
    plant(Mute.of(user, other, now, now.plus(Duration.ofHours(1))));

    assertThat(barriers.around(user).mutes(other)).isTrue();
    assertThat(barriers.around(user).isDeafTo(other, now.plus(Duration.ofHours(1)).minusMillis(1)))
        .isTrue();
    assertThat(barriers.around(user).isDeafTo(other, now.plus(Duration.ofHours(1)))).isFalse();
    table.clock().advance(Duration.ofHours(1));
    assertThat(barriers.around(user).mutes(other)).isFalse();
    assertThat(barriers.around(user).silenced(List.of(other))).isEmpty();
  }

  private <R extends Row & BlockOrMute> String plant(R barrier) {
    table.table().putAll(List.of(barrier));
    return barrier.otherId();
  }

  /** Blocks of the user, by the id of the other. */
  private List<BlockOrMute> block(int count) {
    var blocks =
        IntStream.range(0, count)
            .mapToObj(_ -> new Block(user, Names.fresh(), ListContract.FIRST))
            .toList();
    table.table().putAll(blocks);
    return List.copyOf(blocks);
  }
}
