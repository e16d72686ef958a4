package social.feed.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.testkit.simulation.StreamedTable;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Each kind of fault occurs when it is configured, is counted, and has its documented effect. */
class ITFaults {
  private static final int ALWAYS = 1_000;

  /** Reads that together return each of two states. */
  private static final int MANY = 20;

  private static StreamedTable table;
  private static DynamoDbClient direct;
  private static String name;

  @BeforeAll
  static void start() {
    table = StreamedTable.start();
    direct = table.over(Wire.SOUND).client();
    name = table.over(Wire.SOUND).name();
  }

  @AfterAll
  static void stop() {
    table.close();
  }

  @Test
  void errorBefore_writesNothing() {
    var faults = only(FaultKind.ERROR_BEFORE);
    assertThatThrownBy(() -> put(over(faults), "before"))
        .isInstanceOf(ApiCallTimeoutException.class);
    assertThat(isThere("before")).isFalse();
    assertThat(faults.fired()).containsExactly(Map.entry(FaultKind.ERROR_BEFORE, 1));
  }

  @Test
  void lostAnswer_followsAnAppliedWrite() {
    var faults = only(FaultKind.ANSWER_LOST);
    assertThatThrownBy(() -> put(over(faults), "lost")).isInstanceOf(ApiCallTimeoutException.class);
    assertThat(isThere("lost")).isTrue();
    assertThat(faults.fired()).containsExactly(Map.entry(FaultKind.ANSWER_LOST, 1));
  }

  @Test
  void sentTwice_addsTwice() {
    var faults = only(FaultKind.SENT_TWICE);
    var answer =
        over(faults)
            .updateItem(
                u ->
                    u.tableName(name)
                        .key(key("twice"))
                        .updateExpression("ADD n :one")
                        .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")))
                        .returnValues("ALL_NEW"));
    assertThat(answer.attributes()).containsEntry("n", AttributeValue.fromN("2"));
    assertThat(faults.fired()).containsExactly(Map.entry(FaultKind.SENT_TWICE, 1));
  }

  @Test
  void throttling_isRejectedWithAThroughputError() {
    var faults = only(FaultKind.THROTTLED);
    assertThatThrownBy(() -> put(over(faults), "throttled"))
        .isInstanceOf(DynamoDbException.class)
        .satisfies(e -> assertThat(((DynamoDbException) e).isThrottlingException()).isTrue());
    assertThat(isThere("throttled")).isFalse();
    assertThat(faults.fired()).containsExactly(Map.entry(FaultKind.THROTTLED, 1));
  }

  @Test
  void conflict_cancelsTheWholeTransaction() {
    var faults = only(FaultKind.CONFLICT);
    assertThatThrownBy(
            () ->
                over(faults)
                    .transactWriteItems(
                        t -> t.transactItems(i -> i.put(p -> p.tableName(name).item(key("tx"))))))
        .isInstanceOfSatisfying(
            TransactionCanceledException.class,
            e ->
                assertThat(e.cancellationReasons().getLast().code())
                    .isEqualTo("TransactionConflict"));
    assertThat(isThere("tx")).isFalse();
    assertThat(faults.fired()).containsExactly(Map.entry(FaultKind.CONFLICT, 1));
  }

  @Test
  void unprocessed_returnsTheRestOfItemsAndKeys() {
    var faults = only(FaultKind.UNPROCESSED);
    var writes =
        List.of("one", "two").stream()
            .map(id -> WriteRequest.builder().putRequest(p -> p.item(key(id))).build())
            .toList();
    var written = over(faults).batchWriteItem(b -> b.requestItems(Map.of(name, writes)));
    assertThat(written.unprocessedItems().get(name)).containsExactly(writes.getLast());
    assertThat(isThere("two")).isFalse();
    var keys = KeysAndAttributes.builder().keys(key("one"), key("two")).build();
    var read = over(faults).batchGetItem(b -> b.requestItems(Map.of(name, keys)));
    assertThat(read.unprocessedKeys().values())
        .flatExtracting(KeysAndAttributes::keys)
        .containsExactly(key("two"));
    assertThat(faults.fired()).containsExactly(Map.entry(FaultKind.UNPROCESSED, 2));
  }

  @Test
  void staleRead_returnsAnyStateOfTheLastWrites_andNeverStronglyConsistent() {
    var faults = only(FaultKind.STALE_READ);
    put(direct, "stale");
    // The stream has shown the item, and a read may still miss it.
    table.read();
    assertThat(IntStream.range(0, MANY).mapToObj(_ -> batchGet(faults, false).size()))
        .contains(0, 1);
    assertThat(IntStream.range(0, MANY).mapToObj(_ -> hasItem(faults))).contains(false, true);
    assertThat(batchGet(faults, true)).hasSize(1);
    table.catchUp();
    assertThat(IntStream.range(0, MANY).mapToObj(_ -> batchGet(faults, false).size()))
        .containsOnly(1);
    assertThat(faults.fired()).containsExactly(Map.entry(FaultKind.STALE_READ, 3 * MANY));
  }

  @Test
  void staleIndex_omitsNewItems_andReturnsDeletedOnes() {
    var faults = only(FaultKind.STALE_INDEX);
    var item = new HashMap<>(key("indexed"));
    item.put(Index.UNREAD.partitionKey(), AttributeValue.fromS("reader"));
    item.put(Index.UNREAD.sortKey(), AttributeValue.fromS("time"));
    direct.putItem(p -> p.tableName(name).item(item));
    assertThat(unread(direct)).isEqualTo(1);
    assertThat(IntStream.range(0, MANY).mapToObj(_ -> unread(over(faults)))).contains(0, 1);
    table.read();
    assertThat(IntStream.range(0, MANY).mapToObj(_ -> unread(over(faults)))).containsOnly(1);
    direct.deleteItem(d -> d.tableName(name).key(key("indexed")));
    assertThat(unread(direct)).isZero();
    assertThat(IntStream.range(0, MANY).mapToObj(_ -> unread(over(faults)))).contains(0, 1);
    table.catchUp();
    assertThat(unread(over(faults))).isZero();
  }

  @Test
  void crash_rejectsAllCalls_untilTheProcessRestarts() {
    var crash = new CrashPoint(2, CrashPoint.Side.AFTER);
    var client = table.over(crash).client();
    put(client, "first");
    assertThatThrownBy(() -> put(client, "second")).isInstanceOf(CrashPoint.Crash.class);
    assertThat(isThere("second")).isTrue();
    assertThatThrownBy(() -> put(client, "third")).isInstanceOf(CrashPoint.Crash.class);
    assertThat(isThere("third")).isFalse();
    crash.restart();
    put(client, "third");
    assertThat(isThere("third")).isTrue();
  }

  private static Faults only(FaultKind kind) {
    return new Faults(new SplittableRandom(1), FaultMix.only(kind, ALWAYS), table);
  }

  private static DynamoDbClient over(Faults faults) {
    return table.over(faults).client();
  }

  private static void put(DynamoDbClient client, String id) {
    client.putItem(p -> p.tableName(name).item(key(id)));
  }

  private static boolean isThere(String id) {
    return direct.getItem(g -> g.tableName(name).key(key(id)).consistentRead(true)).hasItem();
  }

  private static List<Map<String, AttributeValue>> batchGet(Faults faults, boolean consistent) {
    var keys = KeysAndAttributes.builder().keys(key("stale")).consistentRead(consistent).build();
    return over(faults)
        .batchGetItem(b -> b.requestItems(Map.of(name, keys)))
        .responses()
        .getOrDefault(name, List.of());
  }

  private static boolean hasItem(Faults faults) {
    return over(faults).getItem(g -> g.tableName(name).key(key("stale"))).hasItem();
  }

  private static int unread(DynamoDbClient client) {
    return client
        .query(
            q ->
                q.tableName(name)
                    .indexName(Index.UNREAD.indexName())
                    .keyConditionExpression("#reader = :reader")
                    .expressionAttributeNames(Map.of("#reader", Index.UNREAD.partitionKey()))
                    .expressionAttributeValues(Map.of(":reader", AttributeValue.fromS("reader"))))
        .count();
  }

  private static Map<String, AttributeValue> key(String id) {
    return Map.of(
        BaseTable.PK, AttributeValue.fromS(id), BaseTable.SK, AttributeValue.fromS("of the test"));
  }
}
