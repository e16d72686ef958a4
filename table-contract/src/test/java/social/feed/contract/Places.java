package social.feed.contract;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingDouble;

import java.util.Collection;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.row.Key;
import social.feed.testkit.TestTable;
import social.feed.testkit.cost.Billing;
import social.feed.testkit.cost.Billing.IndexWrite;

/** What a change of a row takes in the indexes. */
final class Places {
  private Places() {}

  /** Returns the write units of a change in each partition of an index. */
  static Collection<Double> of(TestTable table, Runnable change, Key key) {
    var before = table.table().get(key).orElseThrow();
    change.run();
    var after = table.table().get(key).orElseThrow();
    return new Billing(FeedTable.DECLARATION)
        .indexWrites(before, after).stream()
            .collect(groupingBy(IndexWrite::partition, summingDouble(IndexWrite::units)))
            .values();
  }
}
