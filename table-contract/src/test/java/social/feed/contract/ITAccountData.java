package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.export.AccountData;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;
import social.feed.table.row.Row;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/** All rows of an account, page by page. */
@ExtendWith(EngineExtension.class)
class ITAccountData {
  /** Enough items for several pages of a partition. */
  private static final int MANY = 1_700;

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

  private static List<Row> all(Iterator<List<Row>> pages) {
    var rows = new ArrayList<Row>();
    pages.forEachRemaining(rows::addAll);
    return rows;
  }
}
