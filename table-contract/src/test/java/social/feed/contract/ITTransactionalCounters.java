package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.counter.TransactionalCounters;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.User;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/** Effects with a mark of their own are applied once. */
@ExtendWith(EngineExtension.class)
class ITTransactionalCounters {
  private static final long EXPIRES_AT = 1_900_000_000L;

  @Test
  void addOnce_repeat_addsNothing(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var marks = new TransactionalCounters(table.table(), table.clock());
    var mark = mark();

    assertThat(marks.addOnce(mark, User.key(alice.id()), User.POSTS_COUNT, 2)).isTrue();
    assertThat(marks.addOnce(mark, User.key(alice.id()), User.POSTS_COUNT, 2)).isFalse();
    assertThat(marks.addOnce(mark(), User.key(alice.id()), User.POSTS_COUNT, -1)).isTrue();
    assertThat(alice.account().postsCount()).isEqualTo(1);
  }

  @Test
  void addOnce_manyConcurrent_addsOnce(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var marks =
        new TransactionalCounters(
            FaultyTable.retrying(table.client(), table.table().name(), 1_000), table.clock());
    var mark = mark();

    var outcomes =
        AtOnce.run(16, _ -> marks.addOnce(mark, User.key(alice.id()), User.POSTS_COUNT, 1));

    assertThat(outcomes).filteredOn(added -> added).hasSize(1);
    assertThat(alice.account().postsCount()).isEqualTo(1);
  }

  @Test
  void addOnce_manyConcurrentMarks_addsEach(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var marks =
        new TransactionalCounters(
            FaultyTable.retrying(table.client(), table.table().name(), 1_000), table.clock());

    AtOnce.run(16, _ -> marks.addOnce(mark(), User.key(alice.id()), User.POSTS_COUNT, 1));

    assertThat(alice.account().postsCount()).isEqualTo(16);
  }

  @Test
  void addOnce_absentItem_createsNeitherItemNorMark(TestTable table, SeedWorld world) {
    var unknown = Names.fresh();
    var mark = mark();

    assertThat(
            new TransactionalCounters(table.table(), table.clock())
                .addOnce(mark, User.key(unknown), User.POSTS_COUNT, 1))
        .isFalse();
    assertThat(world.users.get(unknown)).isEmpty();
    assertThat(table.table().get(mark.key())).isEmpty();
  }

  @Test
  void addOnce_inConflictWithATransaction_retries(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 2))) {
      var marks = new TransactionalCounters(faulty.table(), table.clock());

      assertThat(marks.addOnce(mark(), User.key(alice.id()), User.POSTS_COUNT, 1)).isTrue();
    }
    assertThat(alice.account().postsCount()).isEqualTo(1);
  }

  /**
   * With endless retries, the write would block its shard of the stream. The text goes into logs,
   * and a reason holds the whole item.
   */
  @Test
  void addOnce_invalidWrite_isNotReportedAsThrottling(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.INVALID, 99))) {
      var marks = new TransactionalCounters(faulty.table(), table.clock());

      assertThatIllegalStateException()
          .isThrownBy(() -> marks.addOnce(mark(), User.key(alice.id()), User.POSTS_COUNT, 1))
          .withMessage(
              "A transaction that can never succeed: ValidationError at "
                  + Pseudonyms.ofItem(User.key(alice.id())));
    }
  }

  @Test
  void addEachOnce_someProcessedBefore_addsTheOthers(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var counters = new TransactionalCounters(table.table(), table.clock());
    var events = Stream.generate(ITTransactionalCounters::mark).limit(60).toList();
    counters.addOnce(events.get(3), User.key(alice.id()), User.POSTS_COUNT, 1);
    counters.addOnce(events.get(40), User.key(alice.id()), User.POSTS_COUNT, 1);
    var deltas = events.stream().collect(Collectors.toMap(event -> event, _ -> 1L));

    counters.addEachOnce(deltas, User.key(alice.id()), User.POSTS_COUNT);
    assertThat(alice.account().postsCount()).isEqualTo(60);
    counters.addEachOnce(deltas, User.key(alice.id()), User.POSTS_COUNT);
    assertThat(alice.account().postsCount()).isEqualTo(60);
  }

  @Test
  void addEachOnce_createdAndDeleted_addsTheSum(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var counters = new TransactionalCounters(table.table(), table.clock());

    counters.addEachOnce(
        Map.of(mark(), 1L, mark(), 1L, mark(), -1L), User.key(alice.id()), User.POSTS_COUNT);
    assertThat(alice.account().postsCount()).isEqualTo(1);
  }

  @Test
  void addEachOnce_absentItem_writesNothing(TestTable table, SeedWorld world) {
    var unknown = Names.fresh();
    var mark = mark();

    new TransactionalCounters(table.table(), table.clock())
        .addEachOnce(Map.of(mark, 1L, mark(), 1L), User.key(unknown), User.POSTS_COUNT);
    assertThat(world.users.get(unknown)).isEmpty();
    assertThat(table.table().get(mark.key())).isEmpty();
  }

  @Test
  void addEachOnce_concurrentWithTheSameEvents_addsEachOnce(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var counters =
        new TransactionalCounters(
            FaultyTable.retrying(table.client(), table.table().name(), 1_000), table.clock());
    var events = Stream.generate(ITTransactionalCounters::mark).limit(40).toList();

    AtOnce.run(
        8,
        number -> {
          var some = events.subList(number * 2, number * 2 + 25);
          counters.addEachOnce(
              some.stream().collect(Collectors.toMap(event -> event, _ -> 1L)),
              User.key(alice.id()),
              User.POSTS_COUNT);
          return true;
        });
    assertThat(alice.account().postsCount()).isEqualTo(39);
  }

  @Test
  void addEachOnce_itemLacksTheCounter_isNoThrottling(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.INVALID, 99))) {
      var counters = new TransactionalCounters(faulty.table(), table.clock());

      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  counters.addEachOnce(
                      Map.of(mark(), 1L, mark(), 1L), User.key(alice.id()), User.POSTS_COUNT));
    }
  }

  private static ProcessedEvent mark() {
    return new ProcessedEvent(Names.fresh(), EXPIRES_AT);
  }
}
