package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.export.AccountData;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/** All rows of an account, page by page. */
@ExtendWith(EngineExtension.class)
class ITAccountData {
  /** Enough items for several pages of a partition. */
  private static final int MANY = 1_700;

  private static final int OWN = 10_000;

  /** Behind the gateway of a function an export has some 16 seconds: 40 ms for each call. */
  private static final int CALLS = 400;

  /** The most rows of a page: those of a query of 500 keys. */
  private static final int PAGE = 500;

  /**
   * Two calls for a page of keys and its items in parts of a hundred, regardless of the number of
   * pages.
   */
  private static final int CALLS_OF_A_PAGE = 7;

  @Test
  void rows_ofEverySource_areReturnedOnce(TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    var bob = world.user("bob");
    var expected = new HashSet<Key>();
    expected.add(ann.account().key());
    expected.add(ann.posts("x").key());
    var bobs = bob.posts("y");
    expected.add(ann.likes(bobs).key());
    expected.add(ann.comments(bobs, "z").key());
    bob.likes(bobs);
    expected.add(ann.follows(bob).key());
    expected.add(bob.follows(ann).key());
    expected.add(world.quotas.of(ann.id()).key());

    assertThat(all(new AccountData(table.table()).of(ann.id())))
        .extracting(Row::key)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void pages_areReadOnDemand(TestTable table, SeedWorld world) {
    var ann = world.user("ann");
    var at = ListContract.FIRST;
    table
        .table()
        .putAll(
            IntStream.range(0, MANY)
                .mapToObj(i -> Mute.of(ann.id(), "other" + i, at, null))
                .toList());
    table.requests().take();

    var pages = new AccountData(table.table()).of(ann.id());
    assertThat(table.requests().take()).isEmpty();
    assertThat(pages.next()).hasSizeLessThan(MANY / 2);
    assertThat(table.requests().take()).hasSizeLessThanOrEqualTo(CALLS_OF_A_PAGE);
    assertThat(pages.next()).hasSizeLessThan(MANY / 2);
    assertThat(table.requests().take()).hasSizeLessThanOrEqualTo(CALLS_OF_A_PAGE);
    assertThat(Set.copyOf(all(pages))).hasSizeGreaterThan(MANY / 3);
  }

  /**
   * The rows of others lie next to those of the account, as far as indexes and partitions allow.
   * {@code -Dexport.others=1000000} takes some minutes.
   */
  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void cost_isThatOfTheRowsOfTheAccount(TestTable table) {
    var own = rowsOf("ann", OWN);
    table.table().putAll(own);
    table.table().putAll(rowsOf("bob", 100));
    var few = cost(table);
    int others = Integer.getInteger("export.others", 10_000);
    load(table, others);
    var many = cost(table);

    System.out.printf(
        "export of %,d rows: %.1f read units next to 100 rows of others, %.1f next to %,d%n",
        own.size(), few.read(), many.read(), others);
    assertThat(many).isEqualTo(few);
    // No row is longer than 4 KB.
    assertThat(many.read()).isLessThanOrEqualTo(1.2 * own.size());
  }

  /** An answer ends in time because calls have many rows, and fits into memory by its pages. */
  @Test
  @OnlyEmbedded(Reason.THOUSANDS_OF_CALLS)
  void calls_areFewForTheRowsOfTheAccount_andPagesAreBounded(TestTable table) {
    table.table().putAll(rowsOf("ann", OWN));
    table.requests().take();

    var pages = new ArrayList<Integer>();
    new AccountData(table.table()).of("ann").forEachRemaining(page -> pages.add(page.size()));
    int calls = table.requests().take().size();

    System.out.printf("export of %,d rows: %d pages, %d calls%n", OWN, pages.size(), calls);
    assertThat(pages).allMatch(rows -> rows <= PAGE);
    assertThat(pages.stream().mapToInt(Integer::intValue).sum()).isEqualTo(OWN);
    assertThat(calls).isLessThanOrEqualTo(CALLS);
  }

  /**
   * Writes rows of others with a client that logs nothing, since a log of a million rows is large.
   */
  private static void load(TestTable table, int rows) {
    try (var client = table.newClient()) {
      var loaded = new Table(client, table.table().name(), table.table().retry());
      for (int account = 0; account < rows / 1_000; account++) {
        loaded.putAll(rowsOf("ann" + account, 1_000));
      }
    }
  }

  private static ConsumedUnits cost(TestTable table) {
    try (var _ = table.bill()) {
      return TestTable.costOf(
          () -> assertThat(all(new AccountData(table.table()).of("ann"))).hasSize(OWN));
    }
  }

  /** Returns rows of each source of an export, as many of each. */
  private static List<Row> rowsOf(String userId, int number) {
    var rows = new ArrayList<Row>();
    for (int i = 0; i < number / 6; i++) {
      var at = ListContract.FIRST.plusSeconds(i);
      rows.add(post(userId + "-" + i, userId, at));
      rows.add(Follow.of(userId, "followed" + i, at));
      rows.add(Follow.of("follower" + i, userId, at));
      rows.add(new Like("liked" + i, userId, "author", at));
      rows.add(new Comment("commented" + i, userId + "-" + i, userId, "author", "I agree", at));
      rows.add(Mute.of(userId, "muted" + i, at, null));
    }
    while (rows.size() < number) {
      rows.add(Mute.of(userId, "also" + rows.size(), ListContract.FIRST, null));
    }
    return rows;
  }

  private static Post post(String postId, String authorId, Instant at) {
    return SamplePosts.by(authorId, at).id(postId).feedShards(1).build();
  }

  private static List<Row> all(Iterator<List<Row>> pages) {
    var rows = new ArrayList<Row>();
    pages.forEachRemaining(rows::addAll);
    return rows;
  }
}
