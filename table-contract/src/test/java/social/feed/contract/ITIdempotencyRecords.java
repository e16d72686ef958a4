package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.idempotency.IdempotencyRecords;
import social.feed.table.kernel.idempotency.Recording;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Like;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;

/** A created row and the record of its idempotency key are written together and once. */
@ExtendWith(EngineExtension.class)
class ITIdempotencyRecords {
  @Test
  void insert_secondTime_returnsTheFirstAndWritesNothing(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var first = record(table, "one", "key");
    var second = record(table, first.userId(), "two", "key");
    var later = row();

    var inserted = Observed.of(table, () -> records.insert(first, List.of(row())));

    assertThat(inserted.answer()).isEqualTo(new Recording.Written());
    assertThat(records.insert(second, List.of(later))).isEqualTo(new Recording.KeyTaken(first));
    assertThat(table.table().get(later.key())).isEmpty();
    assertThat(records.find(first.userId(), "key")).contains(first);
  }

  @Test
  void insert_existingRow_writesNoRecord(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var first = record(table, "one", "key");
    var taken = row();
    table.table().putAll(List.of(taken));

    assertThat(records.insert(first, List.of(row(), taken))).isEqualTo(new Recording.RowTaken());
    assertThat(records.find(first.userId(), "key")).isEmpty();
  }

  @Test
  void insert_otherUserOrOtherKey_isIndependent(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var first = record(table, "one", "key");
    records.insert(first, List.of());

    assertThat(records.insert(record(table, "one", "key"), List.of()))
        .isEqualTo(new Recording.Written());
    assertThat(records.insert(record(table, first.userId(), "one", "other"), List.of()))
        .isEqualTo(new Recording.Written());
  }

  @Test
  void insert_manyConcurrent_writeOnceAndAllReturnTheSame(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var user = Names.fresh();
    var row = row();

    var outcomes =
        AtOnce.run(
            16, i -> records.insert(record(table, user, "resource" + i, "key"), List.of(row)));

    assertThat(outcomes).filteredOn(Recording.Written.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(Recording.KeyTaken.class::isInstance).hasSize(15);
    assertThat(outcomes.stream().distinct()).hasSize(2);
  }

  @Test
  void insert_expired_isReplaced(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var first = record(table, "one", "key");
    records.insert(first, List.of());
    table.clock().advance(Duration.ofDays(2));
    var second = record(table, first.userId(), "two", "key");

    assertThat(records.find(first.userId(), "key")).isEmpty();
    assertThat(records.insert(second, List.of())).isEqualTo(new Recording.Written());
    assertThat(records.insert(first, List.of())).isEqualTo(new Recording.KeyTaken(second));
  }

  @Test
  void insert_inConflictWithATransaction_retries(TestTable table) {
    var record = record(table, "one", "key");
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 2))) {
      var records = new IdempotencyRecords(faulty.table(), table.clock());
      assertThat(records.insert(record, List.of(row()))).isEqualTo(new Recording.Written());
    }
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 99))) {
      var records = new IdempotencyRecords(faulty.table(), table.clock());
      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> records.insert(record(table, "one", "key"), List.of(row())));
    }
  }

  private static Like row() {
    return new Like(Names.fresh(), "bob", "alice", ListContract.FIRST);
  }

  private static IdempotencyRecord record(TestTable table, String resource, String key) {
    return record(table, Names.fresh(), resource, key);
  }

  private static IdempotencyRecord record(
      TestTable table, String user, String resource, String key) {
    long expiresAt = table.clock().instant().plus(Duration.ofDays(1)).getEpochSecond();
    return new IdempotencyRecord(user, key, "f00d", resource, 201, "{}", expiresAt);
  }
}
