package social.feed.testkit.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.Select;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Compares the model with the figures of DynamoDB Local. They agree where items are present. They
 * differ where the local engine (3.3.1) does not follow the service; these tests are the list of
 * the differences:
 *
 * <ul>
 *   <li>the engine charges nothing for absent items of a batch
 *   <li>the engine charges nothing for a page without items
 *   <li>the engine reports one of several equal writes of a transaction, and doubles its index
 *       entries
 *   <li>neither the engine nor the service reports a failed write, which the service bills
 * </ul>
 */
@ExtendWith(EngineExtension.class)
class ITBilling {
  private static final int SIZES = 5;
  private static final AtomicInteger PARTITIONS = new AtomicInteger();

  private final TestTable table;
  private final DynamoDbClient client;
  private String partition = "";

  ITBilling(TestTable table) {
    this.table = table;
    this.client = table.client();
  }

  private interface Calls extends Runnable {}

  @BeforeEach
  void newPartition() {
    partition = "p" + PARTITIONS.incrementAndGet();
  }

  @AfterEach
  void nothingStaysOpen() {
    try (var bill = table.bill()) {
      assertThat(bill.take().calls()).isZero();
    }
  }

  // Where both agree

  @Test
  void getOfAPresentItem() {
    for (int size : new int[] {1, 3_900, 4_096, 4_200, 9_000}) {
      put("a" + size, size);
      for (boolean strong : new boolean[] {true, false}) {
        assertAgree(() -> get("a" + size, strong));
      }
    }
  }

  @Test
  void getOfAnAbsentItem() {
    assertAgree(() -> get("absent", true));
    assertAgree(() -> get("absent", false));
  }

  @Test
  void batchGetOfPresentItems() {
    put("a", 100);
    put("b", 5_000);
    assertAgree(() -> batchGet(true, "a", "b"));
    assertAgree(() -> batchGet(false, "a", "b"));
  }

  @Test
  void queryOfTheTable_wholeFilteredProjectedAndCounted() {
    IntStream.range(0, SIZES).forEach(i -> put("s" + i, 1_500));
    assertAgree(() -> query(Select.ALL_ATTRIBUTES, false));
    assertAgree(() -> query(Select.ALL_ATTRIBUTES, true));
    assertAgree(() -> query(Select.COUNT, false));
  }

  @Test
  void queryOfAnIndex_countsWhatIsProjected() {
    IntStream.range(0, SIZES).forEach(i -> put("s" + i, 3_000));
    assertAgree(
        () ->
            client.query(
                q ->
                    q.tableName(name())
                        .indexName("GSI1")
                        .keyConditionExpression("GSI1PK = :p")
                        .expressionAttributeValues(Map.of(":p", text(partition)))));
  }

  @Test
  void scanOfItems() {
    put("a", 6_000);
    assertAgree(() -> client.scan(s -> s.tableName(name()).consistentRead(true)));
    assertAgree(
        () ->
            client.scan(
                s ->
                    s.tableName(name())
                        .filterExpression("absent = :x")
                        .expressionAttributeValues(Map.of(":x", text("x")))));
  }

  @Test
  void putUpdateAndDelete_withAndWithoutIndexEntries() {
    for (int size : new int[] {10, 900, 1_100, 3_000}) {
      assertAgree(times -> put("p" + size + times, size));
      assertAgree(times -> putUnindexed("u" + size + times, size));
      assertAgree(times -> set("p" + size + times, "SET unprojected = :v"));
      assertAgree(times -> set("p" + size + times, "SET author_id = :v"));
      assertAgree(times -> set("p" + size + times, "SET GSI1SK = :v"));
      assertAgree(times -> set("p" + size + times, "REMOVE GSI1SK SET unprojected = :v"));
      assertAgree(times -> delete("p" + size + times));
      assertAgree(times -> delete("u" + size + times));
    }
  }

  @Test
  void deleteOfAnAbsentItem() {
    assertAgree(() -> delete("absent"));
  }

  @Test
  void batchWrite() {
    assertAgree(times -> batchPut("x" + times, "y" + times));
  }

  // Where they differ

  @Test
  void absentItemsOfABatch_areBilledAndNotReported() {
    put("a", 10);
    assertDiffer(() -> batchGet(true, "a", "absent", "missing"), 1, 3);
  }

  @Test
  void emptyPages_areBilledAndNotReported() {
    assertDiffer(() -> query(Select.ALL_ATTRIBUTES, false), 0, 1);
  }

  @Test
  void transaction_isBilledTwice_withIndexEntriesOnce() {
    put("checked", 10);
    var units = billed(() -> transact("a", "b", "checked"));

    // Two puts with an index entry each, and a check.
    assertThat(units).isEqualTo(new ConsumedUnits(0, 2 * (2 + 1) + 2));
  }

  @Test
  void failedConditions_areBilled() {
    put("a", 1_500);
    var failedPut =
        billed(
            () ->
                assertThatThrownBy(
                        () ->
                            client.putItem(
                                p ->
                                    p.tableName(name())
                                        .item(item("a", 10))
                                        .conditionExpression("attribute_not_exists(PK)")))
                    .isInstanceOf(ConditionalCheckFailedException.class));
    var failedDelete =
        billed(
            () ->
                assertThatThrownBy(
                        () ->
                            client.deleteItem(
                                d ->
                                    d.tableName(name())
                                        .key(key("absent"))
                                        .conditionExpression("attribute_exists(PK)")))
                    .isInstanceOf(ConditionalCheckFailedException.class));
    var canceled =
        billed(
            () ->
                assertThatThrownBy(() -> transact("b", "c", "absent"))
                    .isInstanceOf(TransactionCanceledException.class));

    assertThat(failedPut).isEqualTo(new ConsumedUnits(0, 2));
    assertThat(failedDelete).isEqualTo(new ConsumedUnits(0, 1));
    assertThat(canceled).isEqualTo(new ConsumedUnits(0, 6));
  }

  @Test
  void openBill_replacesTheReportedUnits() {
    try (var bill = table.bill()) {
      assertThat(TestTable.costOf(() -> batchGet(true, "absent")))
          .isEqualTo(new ConsumedUnits(1, 0));
      assertThat(bill.take()).isEqualTo(new Bill.Total(1, new ConsumedUnits(1, 0)));
      assertThatThrownBy(table::bill).isInstanceOf(IllegalStateException.class);
    }
    assertThat(TestTable.costOf(() -> batchGet(true, "absent"))).isEqualTo(ConsumedUnits.NONE);
  }

  private interface Repeatable {
    void run(int times);
  }

  private void assertAgree(Calls calls) {
    assertAgree(_ -> calls.run());
  }

  /** The second run of a write must find what the first one found, so it gets its own number. */
  private void assertAgree(Repeatable calls) {
    var reported = TestTable.costOf(() -> calls.run(1));
    assertThat(billed(() -> calls.run(2))).isEqualTo(reported);
    assertThat(reported).isNotEqualTo(ConsumedUnits.NONE);
  }

  private void assertDiffer(Calls calls, double reported, double billed) {
    assertThat(TestTable.costOf(calls).read()).isEqualTo(reported);
    assertThat(billed(calls).read()).isEqualTo(billed);
  }

  private ConsumedUnits billed(Runnable calls) {
    try (var bill = table.bill()) {
      calls.run();
      return bill.take().units();
    }
  }

  private String name() {
    return table.table().name();
  }

  private void get(String sort, boolean strong) {
    client.getItem(g -> g.tableName(name()).key(key(sort)).consistentRead(strong));
  }

  private void batchGet(boolean strong, String... sorts) {
    var keys = new ArrayList<Map<String, AttributeValue>>();
    for (var sort : sorts) {
      keys.add(key(sort));
    }
    var asked = KeysAndAttributes.builder().keys(keys).consistentRead(strong).build();
    client.batchGetItem(b -> b.requestItems(Map.of(name(), asked)));
  }

  private void query(Select select, boolean filtered) {
    var values = new HashMap<String, AttributeValue>();
    values.put(":p", text(partition));
    if (filtered) {
      values.put(":x", text("x"));
    }
    client.query(
        q ->
            q.tableName(name())
                .consistentRead(true)
                .keyConditionExpression("PK = :p")
                .select(select)
                .filterExpression(filtered ? "absent = :x" : null)
                .expressionAttributeValues(values));
  }

  private void put(String sort, int size) {
    client.putItem(p -> p.tableName(name()).item(item(sort, size)));
  }

  private void putUnindexed(String sort, int size) {
    var item = new HashMap<>(item(sort, size));
    item.keySet().removeIf(attribute -> attribute.startsWith("GSI1"));
    client.putItem(p -> p.tableName(name()).item(item));
  }

  private void batchPut(String... sorts) {
    var writes = new ArrayList<WriteRequest>();
    for (var sort : sorts) {
      var put = PutRequest.builder().item(item(sort, 1_200)).build();
      writes.add(WriteRequest.builder().putRequest(put).build());
    }
    client.batchWriteItem(b -> b.requestItems(Map.of(name(), writes)));
  }

  private void set(String sort, String update) {
    client.updateItem(
        u ->
            u.tableName(name())
                .key(key(sort))
                .updateExpression(update)
                .expressionAttributeValues(Map.of(":v", text("v"))));
  }

  private void delete(String sort) {
    client.deleteItem(d -> d.tableName(name()).key(key(sort)));
  }

  private void transact(String first, String second, String checked) {
    var items =
        List.of(
            TransactWriteItem.builder().put(p -> p.tableName(name()).item(item(first, 10))).build(),
            TransactWriteItem.builder()
                .put(p -> p.tableName(name()).item(item(second, 10)))
                .build(),
            TransactWriteItem.builder()
                .conditionCheck(
                    c ->
                        c.tableName(name())
                            .key(key(checked))
                            .conditionExpression("attribute_exists(PK)"))
                .build());
    client.transactWriteItems(t -> t.transactItems(items));
  }

  private Map<String, AttributeValue> key(String sort) {
    return Map.of("PK", text(partition), "SK", text(sort));
  }

  /** An item with an entry in one index, which projects {@code author_id} of it. */
  private Map<String, AttributeValue> item(String sort, int size) {
    return Map.of(
        "PK", text(partition),
        "SK", text(sort),
        "GSI1PK", text(partition),
        "GSI1SK", text(sort),
        "author_id", text("ann"),
        "unprojected", text("x".repeat(size)));
  }

  private static AttributeValue text(String text) {
    return AttributeValue.fromS(text);
  }
}
