package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.BlocksAndMutesList;
import social.feed.table.graph.ViewerRelations;
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

/**
 * FEED-014: the base table, strongly consistent; and the relations that one request derives from
 * it.
 */
@ExtendWith(EngineExtension.class)
class ITBlocksAndMutesOfUser {
  private static final int MOST = AccessPattern.FEED_014.maxPage();

  private final TestTable table;
  private final BlocksAndMutes blocksAndMutes;
  private final String user = Names.fresh();

  ITBlocksAndMutesOfUser(TestTable table) {
    this.table = table;
    this.blocksAndMutes = new BlocksAndMutes(table.table(), table.clock());
  }

  @Test
  void page_anyPosition_isOneStrongQueryOfTheTable() {
    block(5);
    var first =
        Observed.of(
            table, () -> blocksAndMutes.of(user, BlocksAndMutesList.BLOCKS, PageRequest.first(2)));
    var second =
        Observed.of(
            table,
            () ->
                blocksAndMutes.of(
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
            table,
            () -> blocksAndMutes.of(user, BlocksAndMutesList.BLOCKS, PageRequest.first(MOST)));

    assertThat(page.answer().items()).isEqualTo(blocks.subList(0, MOST));
    assertThat(page.requests()).hasSize(1);
    assertThat(page.cost()).isEqualTo(new ConsumedUnits(15, 0));
  }

  @Test
  void page_overTheMaximum_isRejectedWithoutARequest() {
    table.requests().take();

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> blocksAndMutes.of(user, BlocksAndMutesList.MUTES, PageRequest.first(MOST + 2)))
        .withMessageContaining("FEED-014");
    assertThat(table.requests().take()).isEmpty();
  }

  @Test
  void paging_eachList_followsThePagingLaw() {
    var blocks = block(7);
    var blockedBy = new BlockedBy(user, Names.fresh(), ListContract.FIRST);
    var mute = Mute.of(user, Names.fresh(), ListContract.FIRST, null);
    table.table().putAll(List.of(blockedBy, mute));

    PagingLaw.holds(request -> blocksAndMutes.of(user, BlocksAndMutesList.BLOCKS, request), blocks);
    PagingLaw.holds(
        request -> blocksAndMutes.of(user, BlocksAndMutesList.MUTES, request),
        List.<BlockOrMute>of(mute));
    var both = new ArrayList<>(blocks);
    both.add(blockedBy);
    PagingLaw.holds(
        request -> blocksAndMutes.of(user, BlocksAndMutesList.BLOCKS_BOTH_WAYS, request), both);
  }

  @Test
  void relations_queriedManyTimes_areOneQueryForBlocksAndOneForMutes() {
    var blocked = block(2).getFirst().otherId();
    var blocker = store(new BlockedBy(user, Names.fresh(), ListContract.FIRST));
    var muted = store(Mute.of(user, Names.fresh(), ListContract.FIRST, null));
    var relations = blocksAndMutes.around(user);

    var asked =
        Observed.of(
            table,
            () -> {
              assertThat(relations.separated(List.of(blocked, blocker, muted, "x")))
                  .containsExactlyInAnyOrder(blocked, blocker);
              assertThat(relations.silenced(List.of(blocked, blocker, muted, "x")))
                  .containsExactlyInAnyOrder(blocked, blocker, muted);
              assertThat(List.of(blocked, blocker, muted, "x"))
                  .extracting(relations::blocks)
                  .containsExactly(true, false, false, false);
              assertThat(List.of(blocked, blocker, muted, "x"))
                  .extracting(relations::isBlockedBy)
                  .containsExactly(false, true, false, false);
              assertThat(List.of(blocked, blocker, muted, "x"))
                  .extracting(relations::mutes)
                  .containsExactly(false, false, true, false);
              return relations.separates("y");
            });

    assertThat(asked.answer()).isFalse();
    assertThat(asked.requests()).hasSize(2).allMatch(QueryRequest.class::isInstance);
    assertThat(asked.cost()).isEqualTo(new ConsumedUnits(2, 0));
  }

  @Test
  void relations_withOneselfOrNoAccount_readNothing() {
    var relations = blocksAndMutes.around(user);
    table.requests().take();

    assertThat(relations.silenced(List.of(user))).isEmpty();
    assertThat(relations.separated(Set.of())).isEmpty();
    assertThat(table.requests().take()).isEmpty();
  }

  @Test
  void relations_withOneAccount_costAtMostOneUnitMore_howeverManyRowsThereAre() {
    assertThat(unitsOfOne(0, 0)).isEqualTo(1);
    assertThat(unitsOfOne(10, 10)).isEqualTo(1);
    assertThat(unitsOfOne(1_000, 0)).isEqualTo(2);
    assertThat(unitsOfOne(0, 1_000)).isEqualTo(2);
    assertThat(unitsOfOne(1_000, 1_000)).isEqualTo(2);
  }

  /** Returns the read units of the blocks with an account in the middle of all ids. */
  private double unitsOfOne(int blocks, int blockedBy) {
    var relations = related(blocks, blockedBy);
    try (var bill = table.bill()) {
      assertThat(relations.separates(id(500))).isFalse();
      return bill.take().units().read();
    }
  }

  @Test
  void relations_inOneDirection_areOneReadByKey() {
    var relations = related(1_000, 1_000);

    try (var bill = table.bill()) {
      assertThat(relations.isBlockedBy(id(0))).isFalse();
      assertThat(relations.mutes(id(0))).isFalse();
      assertThat(bill.take().units()).isEqualTo(new ConsumedUnits(2, 0));
    }
  }

  @Test
  void relations_withTenAccounts_costAtMostTwiceWhatTheirRowsCost() {
    assertThat(unitsOfTen(0, 0)).isEqualTo(1);
    assertThat(unitsOfTen(5, 5)).isEqualTo(1);
    // The rows of ten accounts cost 20 units.
    assertThat(unitsOfTen(1_000, 0)).isBetween(20.0, 40.0);
    assertThat(unitsOfTen(0, 1_000)).isBetween(20.0, 40.0);
    assertThat(unitsOfTen(1_000, 1_000)).isBetween(20.0, 40.0);
  }

  private double unitsOfTen(int blocks, int blockedBy) {
    var relations = related(blocks, blockedBy);
    var others = IntStream.range(495, 505).mapToObj(ITBlocksAndMutesOfUser::id).toList();
    try (var bill = table.bill()) {
      assertThat(relations.separated(others)).isEmpty();
      return bill.take().units().read();
    }
  }

  /** Each place of a related account, in lists of each length. */
  @Test
  void relations_withEachAccount_areExact() {
    for (int rows : List.of(1, 29, 30, 31, 100)) {
      for (int other : List.of(0, rows / 2, rows - 1)) {
        assertThat(related(rows, 0).separates(other(other))).isTrue();
        assertThat(related(0, rows).separates(other(other))).isTrue();
        assertThat(related(rows, 0).blocks(other(other))).isTrue();
        assertThat(related(rows, 0).isBlockedBy(other(other))).isFalse();
        assertThat(related(0, rows).isBlockedBy(other(other))).isTrue();
        assertThat(related(rows, rows).separates(id(other))).isFalse();
        assertThat(related(rows, rows).separated(List.of(id(0), other(other), id(rows), "a", "z")))
            .containsExactly(other(other));
      }
    }
  }

  /** Returns the relations of a new user with some accounts, whose ids lie between others. */
  private ViewerRelations related(int blocks, int blockedBy) {
    var owner = Names.fresh();
    var rows = new ArrayList<Row>();
    for (int i = 0; i < blocks; i++) {
      rows.add(new Block(owner, other(i), ListContract.FIRST));
    }
    for (int i = 0; i < blockedBy; i++) {
      rows.add(new BlockedBy(owner, other(i), ListContract.FIRST));
    }
    table.table().putAll(rows);
    return blocksAndMutes.around(owner);
  }

  private static String id(int number) {
    return "id%04d".formatted(number);
  }

  /** Comes directly after the id of the same number. */
  private static String other(int number) {
    return id(number) + "x";
  }

  /** A user whom very many accounts block has no higher read cost than other users. */
  @Test
  void relations_beyondOneQuery_lookUpTheGivenAccountsOnce() {
    block(MOST);
    var last = store(new BlockedBy(user, "zz" + Names.fresh(), ListContract.FIRST));
    var relations = blocksAndMutes.around(user);

    var asked = Observed.of(table, () -> relations.separated(List.of(last, "x", "y")));

    assertThat(asked.answer()).containsExactly(last);
    assertThat(asked.requests()).hasSize(2);
    assertThat(((QueryRequest) asked.requests().getFirst()).limit()).isEqualTo(180);
    var batch = (BatchGetItemRequest) asked.requests().getLast();
    assertThat(batch.requestItems().values().iterator().next().keys()).hasSize(6);
    var again = Observed.of(table, () -> relations.separated(List.of(last, "x", "y")));
    assertThat(again.answer()).containsExactly(last);
    assertThat(again.requests()).isEmpty();
  }

  @Test
  void mute_endsExactlyAtItsTime() {
    var other = Names.fresh();
    var now = table.clock().instant();
    store(Mute.of(user, other, now, now.plus(Duration.ofHours(1))));

    assertThat(blocksAndMutes.around(user).mutes(other)).isTrue();
    var end = now.plus(Duration.ofHours(1));
    assertThat(
            blocksAndMutes
                .around(user)
                .audible(List.of(now, end.minusMillis(1), end), _ -> other, Function.identity()))
        .containsExactly(end);
    table.clock().advance(Duration.ofHours(1));
    assertThat(blocksAndMutes.around(user).mutes(other)).isFalse();
    assertThat(blocksAndMutes.around(user).silenced(List.of(other))).isEmpty();
  }

  private <R extends Row & BlockOrMute> String store(R row) {
    table.table().putAll(List.of(row));
    return row.otherId();
  }

  /** Returns blocks of the user, ordered by the id of the other account. */
  private List<BlockOrMute> block(int count) {
    var blocks =
        IntStream.range(0, count)
            .mapToObj(_ -> new Block(user, Names.fresh(), ListContract.FIRST))
            .toList();
    table.table().putAll(blocks);
    return List.copyOf(blocks);
  }
}
