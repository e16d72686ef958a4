package social.feed.benchmarks;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.Key;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.defaultsmode.DefaultsMode;
import software.amazon.awssdk.awscore.endpoints.AccountIdEndpointMode;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * The calls of {@link BareRoutes}: plain SDK requests, with the client type and the number of
 * connections that the API has. Keys come from the table's declaration, because nothing else may
 * spell them.
 */
final class BareTable {
  private static final int CONNECTIONS_MAX = 256;

  private final DynamoDbClient client;
  private final String name;

  BareTable() {
    this.name = requireNonNull(System.getenv("BARE_TABLE"), "BARE_TABLE");
    this.client =
        DynamoDbClient.builder()
            .endpointOverride(URI.create(requireNonNull(System.getenv("BARE_ENDPOINT"))))
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
            .defaultsMode(DefaultsMode.LEGACY)
            .accountIdEndpointMode(AccountIdEndpointMode.DISABLED)
            .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS_MAX))
            .build();
  }

  DynamoDbClient client() {
    return client;
  }

  String name() {
    return name;
  }

  Map<String, AttributeValue> get(Key key) {
    return client
        .getItem(g -> g.tableName(name).key(KeyAttributes.of(key)).consistentRead(true))
        .item();
  }

  List<Map<String, AttributeValue>> getAll(boolean strong, Collection<Key> keys) {
    var wanted =
        KeysAndAttributes.builder()
            .keys(keys.stream().map(KeyAttributes::of).toList())
            .consistentRead(strong)
            .build();
    return client
        .batchGetItem(b -> b.requestItems(Map.of(name, wanted)))
        .responses()
        .getOrDefault(name, List.of());
  }

  /** Returns the items of some ids, eventually consistent. */
  Map<String, Map<String, AttributeValue>> byId(
      List<String> ids, Function<String, Key> key, String idAttribute) {
    var found = new HashMap<String, Map<String, AttributeValue>>();
    for (var item : getAll(false, ids.stream().map(key).toList())) {
      found.put(requireNonNull(item.get(idAttribute)).s(), item);
    }
    return found;
  }

  /** Returns the newest items of an index partition. */
  List<Map<String, AttributeValue>> newest(Index index, String partition, int limit) {
    return query(
        QueryRequest.builder()
            .indexName(index.indexName())
            .keyConditionExpression("#p = :p")
            .expressionAttributeNames(Map.of("#p", index.partitionKey()))
            .expressionAttributeValues(Map.of(":p", AttributeValue.fromS(partition)))
            .scanIndexForward(false)
            .limit(limit));
  }

  /** Returns the newest sort keys of an index partition that are not below one. */
  List<Map<String, AttributeValue>> keysSince(
      Index index, String partition, String least, int limit) {
    return query(
        QueryRequest.builder()
            .indexName(index.indexName())
            .keyConditionExpression("#p = :p AND #s >= :s")
            .projectionExpression("#s")
            .expressionAttributeNames(Map.of("#p", index.partitionKey(), "#s", index.sortKey()))
            .expressionAttributeValues(
                Map.of(":p", AttributeValue.fromS(partition), ":s", AttributeValue.fromS(least)))
            .scanIndexForward(false)
            .limit(limit));
  }

  /** Returns the items with a sort key prefix. */
  List<Map<String, AttributeValue>> beginning(
      String partition, String prefix, QueryRequest.Builder request) {
    return query(
        request
            .keyConditionExpression("#p = :p AND begins_with(#s, :s)")
            .expressionAttributeNames(Map.of("#p", BaseTable.PK, "#s", BaseTable.SK))
            .expressionAttributeValues(
                Map.of(":p", AttributeValue.fromS(partition), ":s", AttributeValue.fromS(prefix))));
  }

  /** Returns the items between two keys of a partition, both included, strongly consistent. */
  List<Map<String, AttributeValue>> between(Key first, Key last, int limit) {
    return query(
        QueryRequest.builder()
            .consistentRead(true)
            .limit(limit)
            .keyConditionExpression("#p = :p AND #s BETWEEN :first AND :last")
            .expressionAttributeNames(Map.of("#p", BaseTable.PK, "#s", BaseTable.SK))
            .expressionAttributeValues(
                Map.of(
                    ":p", AttributeValue.fromS(first.partition()),
                    ":first", AttributeValue.fromS(first.sort()),
                    ":last", AttributeValue.fromS(last.sort()))));
  }

  private List<Map<String, AttributeValue>> query(QueryRequest.Builder request) {
    return client.query(request.tableName(name).build()).items();
  }
}
