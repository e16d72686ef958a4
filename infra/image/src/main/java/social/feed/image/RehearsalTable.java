package social.feed.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;

/**
 * Answers the calls of a rehearsal as DynamoDB would answer them if all conditions were met: it
 * keeps the items that are put, returns them by key and in the order of their sort keys, and
 * neither evaluates conditions nor applies updates. DynamoDB Local cannot take its place, because
 * its license does not allow that an image contains it.
 */
final class RehearsalTable implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The names of the sort keys of the table and of all indexes, by those of their partition keys.
   */
  private static final Map<String, String> KEYS =
      Stream.concat(
              Stream.of(Map.entry(BaseTable.PK, BaseTable.SK)),
              Stream.of(Index.values())
                  .map(index -> Map.entry(index.partitionKey(), index.sortKey())))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  /** The items of each partition of the table and of each index, by sort key and key. */
  private final Map<String, ConcurrentSkipListMap<String, JsonNode>> partitions =
      new ConcurrentHashMap<>();

  private final HttpServer server;

  /**
   * Starts answering on loopback.
   *
   * @param port for the calls, and for {@code GET /keys}
   * @param keys the answer to {@code GET /keys}
   */
  RehearsalTable(int port, String keys) throws IOException {
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/keys", exchange -> send(exchange, keys.getBytes(UTF_8)));
    server.createContext(
        "/",
        exchange -> {
          var target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
          var call = target.substring(target.indexOf('.') + 1);
          var request = JSON.readTree(exchange.getRequestBody());
          send(exchange, JSON.writeValueAsBytes(answer(call, request)));
        });
    server.start();
  }

  private static void send(HttpExchange exchange, byte[] body) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private ObjectNode answer(String call, JsonNode request) {
    var answer = JSON.createObjectNode();
    switch (call) {
      case "GetItem" -> {
        var item = item(request.path("Key"));
        if (item != null) {
          answer.set("Item", item);
        }
        consumed(answer.putObject("ConsumedCapacity"), request.path("TableName").asText());
      }
      case "Query" -> {
        var items = query(request);
        answer.putArray("Items").addAll(items);
        answer.put("Count", items.size()).put("ScannedCount", items.size());
        consumed(answer.putObject("ConsumedCapacity"), request.path("TableName").asText());
      }
      case "PutItem" -> {
        put(request.path("Item"));
        consumed(answer.putObject("ConsumedCapacity"), request.path("TableName").asText());
      }
      case "UpdateItem", "DeleteItem" -> {
        var item = item(request.path("Key"));
        if (item != null && !request.path("ReturnValues").asText("NONE").equals("NONE")) {
          answer.set("Attributes", item);
        }
        consumed(answer.putObject("ConsumedCapacity"), request.path("TableName").asText());
      }
      case "BatchGetItem" -> {
        var responses = answer.putObject("Responses");
        var consumed = answer.putArray("ConsumedCapacity");
        answer.putObject("UnprocessedKeys");
        for (var table : request.path("RequestItems").properties()) {
          var items = responses.putArray(table.getKey());
          for (var key : table.getValue().path("Keys")) {
            var item = item(key);
            if (item != null) {
              items.add(item);
            }
          }
          consumed(consumed.addObject(), table.getKey());
        }
      }
      case "BatchWriteItem" -> {
        answer.putObject("UnprocessedItems");
        var consumed = answer.putArray("ConsumedCapacity");
        for (var table : request.path("RequestItems").properties()) {
          table.getValue().forEach(write -> put(write.path("PutRequest").path("Item")));
          consumed(consumed.addObject(), table.getKey());
        }
      }
      case "TransactWriteItems" -> {
        var consumed = answer.putArray("ConsumedCapacity");
        for (var write : request.path("TransactItems")) {
          put(write.path("Put").path("Item"));
        }
        consumed(consumed.addObject(), "feed");
      }
      default -> throw new IllegalArgumentException("The rehearsal knows no call " + call);
    }
    return answer;
  }

  private static void consumed(ObjectNode consumed, String table) {
    consumed.put("TableName", table).put("CapacityUnits", 1);
  }

  private static String text(JsonNode item, String attribute) {
    return item.path(attribute).path("S").asText("");
  }

  private @Nullable JsonNode item(JsonNode key) {
    return partitions
        .getOrDefault(
            partition(BaseTable.PK, text(key, BaseTable.PK)), new ConcurrentSkipListMap<>())
        .get(position(text(key, BaseTable.SK), key));
  }

  private static String partition(String attribute, String value) {
    return attribute + "=" + value;
  }

  /** Items of an index may have equal sort keys. */
  private static String position(String sort, JsonNode item) {
    return sort + "\n" + text(item, BaseTable.PK) + "\n" + text(item, BaseTable.SK);
  }

  private void put(JsonNode item) {
    KEYS.forEach(
        (partitionKey, sortKey) -> {
          if (item.has(partitionKey)) {
            partitions
                .computeIfAbsent(
                    partition(partitionKey, text(item, partitionKey)),
                    _ -> new ConcurrentSkipListMap<>())
                .put(position(text(item, sortKey), item), item);
          }
        });
  }

  /** Returns the first page of a partition. */
  private List<JsonNode> query(JsonNode request) {
    var names = request.path("ExpressionAttributeNames");
    var values = request.path("ExpressionAttributeValues");
    // A condition is `#name = :value`, and may go on with ` AND ` and one for the sort key.
    var condition = request.path("KeyConditionExpression").asText().split(" AND ", 2);
    var equal = condition[0].strip().split("\\s*=\\s*", 2);
    var attribute = names.path(equal[0]).asText(equal[0]);
    var items =
        partitions.getOrDefault(
            partition(attribute, text(values, equal[1])), new ConcurrentSkipListMap<>());
    var all = new ArrayList<>(items.values());
    if (condition.length == 2) {
      var sort = requireNonNull(KEYS.get(attribute));
      all.removeIf(item -> !holds(condition[1], text(item, sort), values));
    }
    var ordered = request.path("ScanIndexForward").asBoolean(true) ? all : all.reversed();
    int limit = request.path("Limit").asInt(Integer.MAX_VALUE);
    return ordered.subList(0, Math.min(limit, ordered.size()));
  }

  /**
   * Returns whether a sort key meets a condition. The last words of each kind of condition are its
   * values: {@code begins_with(#sk, :a)}, {@code #sk BETWEEN :a AND :b}, {@code #sk >= :a}.
   */
  private static boolean holds(String condition, String key, JsonNode values) {
    var words = condition.replaceAll("[(),]", " ").strip().split("\\s+");
    var value = text(values, words[words.length - 1]);
    if (words[0].equals("begins_with")) {
      return key.startsWith(value);
    }
    int order = key.compareTo(value);
    return switch (words[1]) {
      case "BETWEEN" -> order <= 0 && key.compareTo(text(values, words[2])) >= 0;
      case "=" -> order == 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case ">=" -> order >= 0;
      default -> throw new IllegalArgumentException("The rehearsal knows no " + condition);
    };
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
