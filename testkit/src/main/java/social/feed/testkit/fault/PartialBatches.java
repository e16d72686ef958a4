package social.feed.testkit.fault;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Applies a part of a batch of one table and returns the rest as unprocessed. */
final class PartialBatches {
  private PartialBatches() {}

  static boolean canBeCut(DynamoDbRequest request) {
    return switch (request) {
      case BatchWriteItemRequest write -> only(write.requestItems()).size() > 1;
      case BatchGetItemRequest get -> only(get.requestItems()).keys().size() > 1;
      default -> false;
    };
  }

  static <Q extends DynamoDbRequest, A> A cut(
      Q request, Function<Q, A> table, RandomGenerator random) {
    return switch (request) {
      case BatchWriteItemRequest write -> write(write, request, table, random);
      case BatchGetItemRequest get -> get(get, request, table, random);
      default -> throw new IllegalArgumentException("Not a batch: " + request);
    };
  }

  @SuppressWarnings("unchecked") // A rebuilt request or response has the original type.
  private static <Q, A> A write(
      BatchWriteItemRequest write, Q request, Function<Q, A> table, RandomGenerator random) {
    var name = write.requestItems().keySet().iterator().next();
    List<WriteRequest> all = only(write.requestItems());
    int done = random.nextInt(1, all.size());
    var part = write.toBuilder().requestItems(Map.of(name, all.subList(0, done))).build();
    var answer = (BatchWriteItemResponse) table.apply((Q) part);
    var rest = Map.of(name, all.subList(done, all.size()));
    return (A) answer.toBuilder().unprocessedItems(rest).build();
  }

  @SuppressWarnings("unchecked") // A rebuilt request or response has the original type.
  private static <Q, A> A get(
      BatchGetItemRequest get, Q request, Function<Q, A> table, RandomGenerator random) {
    var name = get.requestItems().keySet().iterator().next();
    KeysAndAttributes all = only(get.requestItems());
    int done = random.nextInt(1, all.keys().size());
    var part = all.toBuilder().keys(all.keys().subList(0, done)).build();
    var rest = all.toBuilder().keys(all.keys().subList(done, all.keys().size())).build();
    var answer =
        (BatchGetItemResponse)
            table.apply((Q) get.toBuilder().requestItems(Map.of(name, part)).build());
    return (A) answer.toBuilder().unprocessedKeys(Map.of(name, rest)).build();
  }

  private static <T> T only(Map<String, T> byTable) {
    return byTable.values().iterator().next();
  }
}
