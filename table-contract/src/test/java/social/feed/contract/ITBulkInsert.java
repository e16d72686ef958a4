package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.store.BulkInsert;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Row;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** A group of imported rows is inserted as a whole or skipped. */
@ExtendWith(EngineExtension.class)
class ITBulkInsert {
  @Test
  void bulkInsert_groupWithAnExistingRow_isSkippedAsAWhole(TestTable table) {
    var bulkInsert = new BulkInsert(table.table());
    var fresh = group(2);
    var known = group(2);
    table.table().putAll(known.subList(0, 1));

    assertThat(bulkInsert.adopt(List.of(fresh, known))).containsExactly(fresh);
    assertThat(bulkInsert.adopt(List.of(fresh, known))).isEmpty();
    assertThat(stored(table, fresh)).isEqualTo(2);
    assertThat(stored(table, known)).isEqualTo(1);
  }

  @Test
  void bulkInsert_beyondATransaction_insertsAllInGroups(TestTable table) {
    var groups = IntStream.range(0, 70).mapToObj(_ -> group(3)).toList();

    var observed = Observed.of(table, () -> new BulkInsert(table.table()).adopt(groups));

    assertThat(observed.answer()).isEqualTo(groups);
    assertThat(observed.requests())
        .filteredOn(TransactWriteItemsRequest.class::isInstance)
        .extracting(request -> ((TransactWriteItemsRequest) request).transactItems().size())
        .containsExactly(99, 99, 12);
  }

  @Test
  void bulkInsert_ofNothing_writesNothing(TestTable table) {
    assertThat(new BulkInsert(table.table()).adopt(List.<List<Row>>of())).isEmpty();
  }

  @Test
  void bulkInsert_inConflictWithATransaction_retriesAndGivesUpInTheEnd(TestTable table) {
    var groups = List.of(group(2));
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 2))) {
      assertThat(new BulkInsert(faulty.table()).adopt(groups)).isEqualTo(groups);
    }
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.CONFLICT, 99))) {
      var bulkInsert = new BulkInsert(faulty.table());

      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> bulkInsert.adopt(List.of(group(2))));
    }
  }

  @Test
  void bulkInsert_ofAnInvalidWrite_isNotReportedAsThrottling(TestTable table) {
    try (var faulty = FaultyTable.of(table, new Cancelled(Cancelled.INVALID, 99))) {
      var bulkInsert = new BulkInsert(faulty.table());

      assertThatIllegalStateException().isThrownBy(() -> bulkInsert.adopt(List.of(group(2))));
    }
  }

  private static int stored(TestTable table, List<ProcessedEvent> rows) {
    return table.table().getAll(rows.stream().map(Row::key).toList(), true).size();
  }

  private static List<ProcessedEvent> group(int rows) {
    return IntStream.range(0, rows)
        .mapToObj(_ -> new ProcessedEvent(Names.fresh(), 1_900_000_000L))
        .toList();
  }
}
