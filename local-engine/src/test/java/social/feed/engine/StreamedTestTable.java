package social.feed.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ListStreamsResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** A table with keys {@code pk} and {@code sk} (strings) and a stream of both images. */
public final class StreamedTestTable {

  public static final String NAME = "things";

  private final DynamoDbClient client;

  public StreamedTestTable(DynamoDbClient client) {
    this.client = client;
  }

  /** Creates the table and returns the ARN of its stream. */
  public String create() {
    return client
        .createTable(
            table ->
                table
                    .tableName(NAME)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(
                        k -> k.attributeName("pk").keyType(KeyType.HASH),
                        k -> k.attributeName("sk").keyType(KeyType.RANGE))
                    .attributeDefinitions(
                        a -> a.attributeName("pk").attributeType(ScalarAttributeType.S),
                        a -> a.attributeName("sk").attributeType(ScalarAttributeType.S))
                    .streamSpecification(
                        s ->
                            s.streamEnabled(true)
                                .streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)))
        .tableDescription()
        .latestStreamArn();
  }

  public void put(String pk, String sk) {
    client.putItem(
        put ->
            put.tableName(NAME)
                .item(Map.of("pk", AttributeValue.fromS(pk), "sk", AttributeValue.fromS(sk))));
  }

  public long size() {
    return client.scanPaginator(scan -> scan.tableName(NAME)).items().stream().count();
  }

  /** Returns every record of the only stream, from its trim horizon, oldest first. */
  public static List<Record> records(DynamoDbStreamsClient streams) {
    ListStreamsResponse listed = streams.listStreams(list -> {});
    String arn = listed.streams().getFirst().streamArn();
    List<Record> records = new ArrayList<>();
    for (Shard shard : streams.describeStream(d -> d.streamArn(arn)).streamDescription().shards()) {
      String first = iterator(streams, arn, shard);
      drain(streams, first, records);
    }
    return records;
  }

  public static String sortKey(Record record) {
    return record.dynamodb().keys().getOrDefault("sk", AttributeValue.fromS("")).s();
  }

  private static String iterator(DynamoDbStreamsClient streams, String arn, Shard shard) {
    return streams
        .getShardIterator(
            i ->
                i.streamArn(arn)
                    .shardId(shard.shardId())
                    .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
        .shardIterator();
  }

  private static void drain(DynamoDbStreamsClient streams, String first, List<Record> into) {
    @Nullable String iterator = first;
    while (iterator != null) {
      String from = iterator;
      var response = streams.getRecords(g -> g.shardIterator(from));
      into.addAll(response.records());
      iterator = response.records().isEmpty() ? null : response.nextShardIterator();
    }
  }
}
