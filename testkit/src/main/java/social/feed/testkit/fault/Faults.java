package social.feed.testkit.fault;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Injects random faults, the same for the same generator and requests. An instance belongs to one
 * thread, because concurrent calls have no repeatable order.
 */
public final class Faults implements Wire {
  private final RandomGenerator random;
  private final FaultMix mix;
  private final EventualReads eventual;
  private final Map<FaultKind, Integer> fired = new EnumMap<>(FaultKind.class);
  private boolean isOn = true;

  public Faults(RandomGenerator random, FaultMix mix, Replica replica) {
    this.random = random;
    this.mix = mix;
    this.eventual = new EventualReads(replica, random);
  }

  /** Stops all faults. */
  public void cease() {
    isOn = false;
  }

  /** Returns the number of faults of each kind so far. */
  public Map<FaultKind, Integer> fired() {
    return Map.copyOf(fired);
  }

  /** Returns whether a request may change the table. */
  public static boolean isWrite(DynamoDbRequest request) {
    return request instanceof BatchWriteItemRequest
        || request instanceof TransactWriteItemsRequest
        || isSingleWrite(request);
  }

  @Override
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    refuse(request);
    var part = partly(request, table);
    A answer = part.isPresent() ? part.get() : table.apply(request);
    if (isSingleWrite(request) && strikes(FaultKind.SENT_TWICE)) {
      // The service detects a repeated transaction by its token, so only single writes repeat.
      answer = table.apply(request);
    }
    if (isWrite(request) && strikes(FaultKind.ANSWER_LOST)) {
      throw Failing.timeOut();
    }
    return answer;
  }

  private void refuse(DynamoDbRequest request) {
    if (strikes(FaultKind.ERROR_BEFORE)) {
      throw Failing.timeOut();
    }
    if (strikes(FaultKind.THROTTLED)) {
      throw random.nextBoolean() ? Failing.throughputExceeded() : Failing.throttling();
    }
    if (request instanceof TransactWriteItemsRequest transaction && strikes(FaultKind.CONFLICT)) {
      throw Failing.conflict(transaction.transactItems().size());
    }
  }

  private <Q extends DynamoDbRequest, A> Optional<A> partly(Q request, Function<Q, A> table) {
    if (PartialBatches.canBeCut(request) && strikes(FaultKind.UNPROCESSED)) {
      return Optional.of(PartialBatches.cut(request, table, random));
    }
    if (EventualReads.isEventual(request) && strikes(FaultKind.STALE_READ)
        || EventualReads.isOfIndex(request) && strikes(FaultKind.STALE_INDEX)) {
      return Optional.of(eventual.read(request, table));
    }
    return Optional.empty();
  }

  private boolean strikes(FaultKind kind) {
    boolean strikes = isOn && mix.strikes(kind, random);
    if (strikes) {
      fired.merge(kind, 1, Integer::sum);
    }
    return strikes;
  }

  private static boolean isSingleWrite(DynamoDbRequest request) {
    return request instanceof PutItemRequest
        || request instanceof UpdateItemRequest
        || request instanceof DeleteItemRequest;
  }
}
