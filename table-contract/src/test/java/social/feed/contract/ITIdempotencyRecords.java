package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.cost.ConsumedUnits;
import social.feed.table.idempotency.IdempotencyRecords;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.time.Timestamps;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;

/** A request key is reserved once and then answers for its request until it expires. */
@ExtendWith(EngineExtension.class)
class ITIdempotencyRecords {
  @Test
  void reserve_secondTime_isTheFirstReservation(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var first = record(table, "one", "key");
    var second = record(table, first.userId(), "two", "key");

    var reserved = Observed.of(table, () -> records.reserve(first));

    assertThat(reserved.answer()).isEmpty();
    assertThat(reserved.cost()).isEqualTo(new ConsumedUnits(0, 1));
    assertThat(records.reserve(second)).contains(first);
  }

  @Test
  void reserve_otherUserOrOtherKey_isItsOwn(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var first = record(table, "one", "key");
    records.reserve(first);

    assertThat(records.reserve(record(table, "one", "key"))).isEmpty();
    assertThat(records.reserve(record(table, first.userId(), "one", "other"))).isEmpty();
  }

  @Test
  void reserve_manyAtOnce_isReservedOnceAndAllSeeThatOne(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var user = Names.fresh();

    var outcomes = AtOnce.run(16, i -> records.reserve(record(table, user, "resource" + i, "key")));

    assertThat(outcomes).filteredOn(Optional::isEmpty).hasSize(1);
    assertThat(outcomes).filteredOn(Optional::isPresent).hasSize(15);
    assertThat(outcomes.stream().flatMap(Optional::stream).distinct()).hasSize(1);
  }

  @Test
  void reserve_expired_isReplaced(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var first = record(table, "one", "key");
    records.reserve(first);
    records.complete(first.userId(), "key", 201, "{}");
    table.clock().advance(Duration.ofDays(2));
    var second = record(table, first.userId(), "two", "key");

    assertThat(records.reserve(second)).isEmpty();
    assertThat(records.reserve(first)).contains(second);
  }

  @Test
  void complete_reserved_isWhatTheRetryFinds(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var first = record(table, "one", "key");
    records.reserve(first);

    records.complete(first.userId(), "key", 201, "{\"id\":1}");

    var found = records.reserve(first).orElseThrow();
    assertThat(found.status()).isEqualTo(201);
    assertThat(found.body()).isEqualTo("{\"id\":1}");
    assertThat(found.resourceId()).isEqualTo("one");
  }

  @Test
  void complete_absentRecord_createsNone(TestTable table) {
    var records = new IdempotencyRecords(table.table(), table.clock());
    var user = Names.fresh();

    records.complete(user, "key", 201, "{}");

    assertThat(table.table().get(IdempotencyRecord.key(user, "key"))).isEmpty();
  }

  private static IdempotencyRecord record(TestTable table, String resource, String key) {
    return record(table, Names.fresh(), resource, key);
  }

  private static IdempotencyRecord record(
      TestTable table, String user, String resource, String key) {
    Instant now = Timestamps.now(table.clock());
    long expiresAt = now.plus(Duration.ofDays(1)).getEpochSecond();
    return new IdempotencyRecord(user, key, "f00d", resource, now, null, null, expiresAt);
  }
}
