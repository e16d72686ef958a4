package social.feed.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.row.Keys;
import social.feed.testkit.simulation.StreamedTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Select;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** What a table in the cloud refuses and charges. */
class ITCloudTable {
  private static StreamedTable table;
  private static DynamoDbClient direct;
  private static String name;

  private CloudTable cloud;
  private DynamoDbClient client;

  @BeforeAll
  static void startTable() {
    table = StreamedTable.start();
    direct = table.over(Wire.SOUND).client();
    name = table.over(Wire.SOUND).name();
  }

  @AfterAll
  static void stopTable() {
    table.close();
  }

  @BeforeEach
  void start() {
    var time = new VirtualTime(Instant.EPOCH);
    var limits = CloudTable.Limits.scaledDown(1);
    cloud = cloud(time, limits);
    client = WiredClient.of(direct, cloud);
  }

  /** Nothing sleeps here, so the transaction is under way until the end of the test. */
  @Test
  void writes_ofAnItemInATransaction_areRefused() {
    client.transactWriteItems(
        t -> t.transactItems(i -> i.put(p -> p.tableName(name).item(item("locked", 1)))));

    assertThatThrownBy(() -> client.putItem(p -> p.tableName(name).item(item("locked", 2))))
        .isInstanceOf(TransactionConflictException.class);
    assertThatThrownBy(
            () ->
                client.transactWriteItems(
                    t -> t.transactItems(i -> i.delete(d -> d.tableName(name).key(key("locked"))))))
        .isInstanceOf(TransactionCanceledException.class);
    var writes = List.of(write("locked"), write("free"));
    var unprocessed =
        client.batchWriteItem(b -> b.requestItems(Map.of(name, writes))).unprocessedItems();
    assertThat(unprocessed.get(name)).containsExactly(write("locked"));
    assertThat(direct.getItem(g -> g.tableName(name).key(key("locked"))).item())
        .isEqualTo(item("locked", 1));
  }

  @Test
  void count_isChargedForTheItemsThatItReads() {
    for (int i = 0; i < 20; i++) {
      var item = new HashMap<>(key("counted"));
      item.put(BaseTable.SK, AttributeValue.fromS("row" + i));
      item.put("text", AttributeValue.fromS("x".repeat(1_000)));
      direct.putItem(p -> p.tableName(name).item(item));
    }
    double before = cloud.throughput().readUnits();

    client.query(
        q ->
            q.tableName(name)
                .keyConditionExpression("#pk = :pk")
                .expressionAttributeNames(Map.of("#pk", BaseTable.PK))
                .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS("counted")))
                .select(Select.COUNT)
                .consistentRead(true));

    // 20 items of some 1 020 bytes.
    assertThat(cloud.throughput().readUnits() - before).isEqualTo(5);
  }

  /** The larger of the stored and the intended item counts. */
  @Test
  void failedCondition_isChargedForTheItemThatWasNotWritten() {
    var large = new HashMap<>(key("conditional"));
    large.put("text", AttributeValue.fromS("x".repeat(3_000)));
    double before = cloud.throughput().writeUnits();

    assertThatThrownBy(
            () ->
                client.putItem(
                    p ->
                        p.tableName(name)
                            .item(large)
                            .conditionExpression("attribute_exists(#pk)")
                            .expressionAttributeNames(Map.of("#pk", BaseTable.PK))))
        .hasMessageContaining("conditional");

    assertThat(cloud.throughput().writeUnits() - before).isEqualTo(3);
  }

  /** No split helps where all writes meet at one end. */
  @Test
  void sortKeysThatGrowWithTime_shareTheUnitsOfOneRange() {
    var time = new VirtualTime(Instant.EPOCH);
    var split = cloud(time, new CloudTable.Limits(1, 1, 16, 0, Duration.ZERO, Duration.ZERO, 1));
    var limited = WiredClient.of(direct, split);

    for (int i = 0; i < 8; i++) {
      limited.putItem(put("star", Keys.FOLLOWERS + i));
    }
    limited.putItem(put("star", Keys.NOTIFICATIONS + 1));
    assertThatThrownBy(() -> limited.putItem(put("star", Keys.NOTIFICATIONS + 2)))
        .isInstanceOf(ProvisionedThroughputExceededException.class);
    assertThat(split.throughput().throttled()).containsOnlyKeys("table/star/NOTIF#");
  }

  @Test
  void attempt_afterTheEndOfItsInvocation_isNotMade() {
    var time = new VirtualTime(Instant.EPOCH);
    var slow = cloud(time, new CloudTable.Limits(1, 1, 1, 8, Duration.ZERO, Duration.ZERO, 1));
    var large = new HashMap<>(item("throttled", 1));
    large.put("text", AttributeValue.fromS("x".repeat(3_000)));
    var ends = new ArrayList<CloudTable.FunctionTimeout>();
    time.start(
        Duration.ZERO,
        () -> {
          WiredClient.of(direct, slow).putItem(p -> p.tableName(name).item(large));
          var end = CloudTable.InvocationEnd.of(time.passed(), Duration.ofMillis(40));
          try {
            WiredClient.of(direct, slow.until(() -> end))
                .putItem(p -> p.tableName(name).item(item("throttled", 2)));
          } catch (CloudTable.FunctionTimeout e) {
            ends.add(e);
          }
        });
    time.run(Duration.ofMinutes(1));
    time.close();

    assertThat(ends).hasSize(1);
    assertThat(direct.getItem(g -> g.tableName(name).key(key("throttled"))).item())
        .isEqualTo(large);
  }

  @Test
  void index_lagsByATimeOfItsOwn() {
    var time = new VirtualTime(Instant.EPOCH);
    var lag = Duration.ofSeconds(2);
    var lagging = cloud(time, new CloudTable.Limits(9, 9, 1, 8, lag, lag.dividedBy(2), 1));
    time.start(
        Duration.ZERO,
        () ->
            WiredClient.of(direct, lagging)
                .putItem(p -> p.tableName(name).item(item("lagging", 1))));

    time.run(lag.dividedBy(4));
    assertThat(lagging.replica().changed()).containsExactly(EventualReads.key(key("lagging")));
    assertThat(lagging.replica().ofIndexes().states(EventualReads.key(key("lagging")))).hasSize(2);
    time.run(lag.dividedBy(2));
    assertThat(lagging.replica().changed()).containsExactly(EventualReads.key(key("lagging")));
    assertThat(lagging.replica().ofIndexes().changed()).isEmpty();
    time.close();
  }

  private static CloudTable cloud(VirtualTime time, CloudTable.Limits limits) {
    return new CloudTable(direct, name, time, limits, new SplittableRandom(1), time.new Signal());
  }

  private static PutItemRequest put(String partition, String sortKey) {
    var item = new HashMap<>(key(partition));
    item.put(BaseTable.SK, AttributeValue.fromS(sortKey));
    return PutItemRequest.builder().tableName(name).item(item).build();
  }

  private static WriteRequest write(String id) {
    return WriteRequest.builder().putRequest(p -> p.item(item(id, 3))).build();
  }

  private static Map<String, AttributeValue> item(String id, int number) {
    var item = new HashMap<>(key(id));
    item.put("n", AttributeValue.fromN(Integer.toString(number)));
    return item;
  }

  private static Map<String, AttributeValue> key(String id) {
    return Map.of(
        BaseTable.PK, AttributeValue.fromS(id), BaseTable.SK, AttributeValue.fromS("of the test"));
  }
}
