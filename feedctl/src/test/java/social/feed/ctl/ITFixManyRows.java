package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.testkit.TestTable;
import social.feed.verify.RepairLoop;
import social.feed.verify.RepairReport;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Repairs more rows than are read together. Each wait for the stream takes minutes on AWS, so their
 * number must not grow with the rows.
 */
class ITFixManyRows {
  private static final int ROWS = 450;

  private final TestTable engine = TestTable.start();
  private final AtomicInteger waits = new AtomicInteger();
  private final List<HandleClaim> claims =
      IntStream.range(0, ROWS).mapToObj(i -> new HandleClaim("h" + i, "u" + i)).toList();

  @BeforeEach
  void register() {
    engine.table().putAll(claims);
    engine
        .table()
        .putAll(
            claims.stream()
                .map(
                    claim ->
                        User.registered(
                            claim.userId(), claim.handle(), claim.handle(), null, Fault.AT))
                .toList());
    assertThat(fix().repaired()).isZero();
    waits.set(0);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  @Test
  void countsOfManyRows_areRepairedAfterOneWait() {
    claims.forEach(
        claim ->
            set(
                RowCodec.decode(engine.table().get(User.key(claim.userId())).orElseThrow()),
                User.POSTS_COUNT,
                Fault.number(7)));

    var fixed = fix();

    assertThat(fixed.repaired()).as(fixed.render()).isEqualTo(ROWS);
    assertThat(waits).as("before two walks, two more looks and the repair").hasValue(5);
  }

  /** The row alone decides, so no record of the stream can change the repair. */
  @Test
  void indexKeysOfManyRows_areRepairedWithoutAWait() {
    claims.forEach(claim -> set(claim, Index.UNREAD.sortKey(), Fault.text("elsewhere")));

    var fixed = fix();

    assertThat(fixed.repaired()).as(fixed.render()).isEqualTo(ROWS);
    assertThat(waits).as("before two walks and the second look").hasValue(3);
  }

  private RepairReport fix() {
    var fixed =
        new RepairLoop(
                engine.table(),
                Clock.systemUTC(),
                Optional.empty(),
                TrendingTags.HALF_LIFE,
                (places, _) -> places)
            .run(waits::incrementAndGet, _ -> {}, _ -> {});
    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    return fixed;
  }

  private void set(Row row, String attribute, AttributeValue value) {
    Map<String, AttributeValue> item = new HashMap<>(RowCodec.encode(row));
    item.put(attribute, value);
    engine.client().putItem(p -> p.tableName(engine.table().name()).item(item));
  }
}
