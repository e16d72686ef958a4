package social.feed.simulation;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.RowKind;
import social.feed.table.row.Visibility;
import social.feed.testkit.fault.CrashPoint.Crash;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Mistakes in the calls of handlers and stores, for {@link ITHandlerRaces}, {@link ITPlannerRaces}
 * and {@link ITStoreRaces}.
 */
final class PlantedWires {
  private PlantedWires() {}

  /** Answers each later read of the same edges like the first. */
  static final class FirstEdges implements Wire {
    private final Map<DynamoDbRequest, Object> first = new HashMap<>();

    @Override
    @SuppressWarnings("unchecked") // A remembered answer has the type of the first.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (!(request instanceof BatchGetItemRequest get) || !readsEdges(get)) {
        return table.apply(request);
      }
      var known = first.get(request);
      if (known != null) {
        return (A) known;
      }
      A answer = table.apply(request);
      first.put(request, answer);
      return answer;
    }

    private static boolean readsEdges(BatchGetItemRequest get) {
      return get.requestItems().values().stream()
          .flatMap(keys -> keys.keys().stream())
          .allMatch(key -> requireNonNull(key.get(BaseTable.SK)).s().startsWith(Keys.FOLLOWERS));
    }
  }

  /** Answers each later read of a post that is shown with the visibility that it had first. */
  static final class FirstVisibility implements Wire {
    private final Map<Map<String, AttributeValue>, AttributeValue> first = new HashMap<>();

    @Override
    @SuppressWarnings("unchecked") // A rebuilt answer has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      A answer = table.apply(request);
      if (request instanceof GetItemRequest get
          && answer instanceof GetItemResponse response
          && isShownPost(response.item())) {
        var visibility = response.item().get(Post.VISIBILITY);
        var item = new HashMap<>(response.item());
        item.put(Post.VISIBILITY, first.computeIfAbsent(get.key(), _ -> visibility));
        return (A) response.toBuilder().item(item).build();
      }
      return answer;
    }

    private static boolean isShownPost(Map<String, AttributeValue> item) {
      return item.containsKey(Post.VISIBILITY)
          && !item.get(Post.VISIBILITY).s().equalsIgnoreCase(Visibility.PRIVATE.name());
    }
  }

  /** Refuses some conditional writes, as if their condition failed. */
  record Refusing(Predicate<DynamoDbRequest> refused) implements Wire {
    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (refused.test(request)) {
        throw ConditionalCheckFailedException.builder().message("Refused (planted)").build();
      }
      return table.apply(request);
    }
  }

  /** An index of authors' posts that shows nothing yet. */
  record EmptyAuthorLists() implements Wire {
    @Override
    @SuppressWarnings("unchecked") // The response to a query is a QueryResponse.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      return request instanceof QueryRequest query
              && Index.POSTS_BY_AUTHOR.indexName().equals(query.indexName())
          ? (A) QueryResponse.builder().items(List.of()).count(0).build()
          : table.apply(request);
    }
  }

  /** Loses the puts of some items in batches. */
  record Without(Predicate<Map<String, AttributeValue>> lost) implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (!(request instanceof BatchWriteItemRequest batch)) {
        return table.apply(request);
      }
      var kept = new HashMap<String, List<WriteRequest>>();
      batch
          .requestItems()
          .forEach(
              (name, writes) ->
                  kept.put(name, writes.stream().filter(write -> !isLost(write)).toList()));
      return kept.values().stream().allMatch(List::isEmpty)
          ? (A) BatchWriteItemResponse.builder().unprocessedItems(Map.of()).build()
          : table.apply((Q) batch.toBuilder().requestItems(kept).build());
    }

    private boolean isLost(WriteRequest write) {
      return write.putRequest() != null && lost.test(write.putRequest().item());
    }
  }

  /** Hides rows of some kinds from reads. */
  record Blind(Set<RowKind> hidden) implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt answer has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      A answer = table.apply(request);
      return switch (answer) {
        case QueryResponse query ->
            (A)
                query.toBuilder()
                    .items(query.items().stream().filter(this::isSeen).toList())
                    .build();
        case BatchGetItemResponse batch -> {
          var seen = new HashMap<>(batch.responses());
          seen.replaceAll((_, items) -> items.stream().filter(this::isSeen).toList());
          yield (A) batch.toBuilder().responses(seen).build();
        }
        default -> answer;
      };
    }

    private boolean isSeen(Map<String, AttributeValue> item) {
      return !hidden.contains(kind(item));
    }
  }

  /** Returns the kind of an item. */
  static RowKind kind(Map<String, AttributeValue> item) {
    return RowKind.valueOf(requireNonNull(item.get(RowKind.ATTRIBUTE)).s());
  }

  /** Whether a request writes rows that others see. */
  static boolean writes(DynamoDbRequest request) {
    return request instanceof BatchWriteItemRequest || request instanceof PutItemRequest;
  }

  /** Makes the reads after the first write eventually consistent. */
  static final class WeakAfterWrites implements Wire {
    private boolean isWritten;

    @Override
    @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      isWritten |= writes(request);
      return table.apply(isWritten ? (Q) weak(request) : request);
    }

    static DynamoDbRequest weak(DynamoDbRequest request) {
      return switch (request) {
        case GetItemRequest get -> get.toBuilder().consistentRead(false).build();
        case QueryRequest query -> query.toBuilder().consistentRead(false).build();
        case BatchGetItemRequest get -> {
          var weak = new HashMap<>(get.requestItems());
          weak.replaceAll((_, keys) -> keys.toBuilder().consistentRead(false).build());
          yield get.toBuilder().requestItems(weak).build();
        }
        default -> request;
      };
    }
  }

  /**
   * Makes reads of single items eventually consistent.
   *
   * @param which selects the items by their keys
   */
  record Weak(Predicate<Key> which) implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      return table.apply(
          request instanceof GetItemRequest get && which.test(KeyAttributes.key(get.key()))
              ? (Q) WeakAfterWrites.weak(get)
              : request);
    }
  }

  /** Answers eventually consistent reads of an item from its state at the beginning. */
  static final class Lagging implements Wire {
    private final Key key;
    private final Map<String, AttributeValue> state;

    Lagging(Table table, Key key) {
      this.key = key;
      this.state = table.get(key).orElse(Map.of());
    }

    @Override
    @SuppressWarnings("unchecked") // The response to a read is a GetItemResponse.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      return request instanceof GetItemRequest get
              && !Boolean.TRUE.equals(get.consistentRead())
              && KeyAttributes.key(get.key()).equals(key)
          ? (A) GetItemResponse.builder().item(state.isEmpty() ? null : state).build()
          : table.apply(request);
    }
  }

  /** Whether a request notes that an attempt at a chunk begins. */
  static boolean beginsChunk(DynamoDbRequest request) {
    return request instanceof UpdateItemRequest update
        && update.updateExpression().equals("REMOVE #" + FanOutChunk.UNTRIED);
  }

  /** Notes that an attempt at a chunk begins, whether or not another one has begun. */
  record UnconditionalNotes() implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      return table.apply(
          beginsChunk(request)
              ? (Q)
                  ((UpdateItemRequest) request)
                      .toBuilder().conditionExpression(null).expressionAttributeValues(null).build()
              : request);
    }
  }

  /** Answers as if it had been noted that an attempt at a chunk begins. */
  record LostNotes() implements Wire {
    @Override
    @SuppressWarnings("unchecked") // The response to an update is an UpdateItemResponse.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      return beginsChunk(request) ? (A) UpdateItemResponse.builder().build() : table.apply(request);
    }
  }

  /** Notes that an attempt at a chunk has begun right before it notes the outcome. */
  static final class LateNotes implements Wire {
    private final Map<Map<String, AttributeValue>, UpdateItemRequest> later = new HashMap<>();

    @Override
    @SuppressWarnings("unchecked") // The response to an update is an UpdateItemResponse.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (!(request instanceof UpdateItemRequest update)) {
        return table.apply(request);
      }
      if (beginsChunk(update)) {
        later.put(update.key(), update);
        return (A) UpdateItemResponse.builder().build();
      }
      var note = later.remove(update.key());
      if (note != null) {
        try {
          var unused = table.apply((Q) note);
        } catch (ConditionalCheckFailedException e) {
          return table.apply(request);
        }
      }
      return table.apply(request);
    }
  }

  /** Takes each chunk for one that was not tried before. */
  record UntriedChunks() implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (!(request instanceof PutItemRequest put) || kind(put.item()) != RowKind.FAN_OUT_CHUNK) {
        return table.apply(request);
      }
      var chunk = ((FanOutChunk) RowCodec.decode(put.item())).asUntried();
      return table.apply((Q) put.toBuilder().item(RowCodec.encode(chunk)).build());
    }
  }

  /** Hides that a post has changed between private and not private. */
  record UnchangedPosts() implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt answer has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      A answer = table.apply(request);
      if (!(answer instanceof GetItemResponse get)
          || !get.item().containsKey(Post.VISIBILITY_VERSION)) {
        return answer;
      }
      var item = new HashMap<>(get.item());
      item.keySet().removeAll(Set.of(Post.VISIBILITY_VERSION, Post.REFLECTED_VERSION));
      return (A) get.toBuilder().item(item).build();
    }
  }

  /** Ends the process after some request. */
  record CutOff(Predicate<DynamoDbRequest> after) implements Wire {
    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      A answer = table.apply(request);
      if (after.test(request)) {
        throw new Crash("Cut off");
      }
      return answer;
    }
  }

  /** Gives plans that expire in the same second one id, and their chunks too. */
  record PlansByExpiry() implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (!(request instanceof PutItemRequest put) || !put.item().containsKey(FanOutPlan.PLAN_ID)) {
        return table.apply(request);
      }
      var item = new HashMap<>(put.item());
      var expiry = requireNonNull(item.get(BaseTable.TTL)).n();
      item.put(FanOutPlan.PLAN_ID, AttributeValue.fromS(expiry));
      return table.apply((Q) put.toBuilder().item(item).build());
    }
  }

  /** Loses the answer when a fan-out begins, so that the planner finds its own plan. */
  record FoundPlans() implements Wire {
    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      A answer = table.apply(request);
      if (request instanceof PutItemRequest put
          && kind(put.item()) == RowKind.FAN_OUT_PLAN
          && !put.item().containsKey("planned_at")) {
        throw ConditionalCheckFailedException.builder().statusCode(400).item(put.item()).build();
      }
      return answer;
    }
  }

  /** Writes fan-outs whatever there is. */
  record UnconditionalPlans() implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (!(request instanceof PutItemRequest put)
          || kind(put.item()) != RowKind.FAN_OUT_PLAN
          || !put.item().containsKey("planned_at")) {
        return table.apply(request);
      }
      var unconditional =
          put.toBuilder()
              .conditionExpression(null)
              .expressionAttributeNames(null)
              .expressionAttributeValues(null);
      return table.apply((Q) unconditional.build());
    }
  }

  /** Returns the stored chunk as one that begins with the follower of the refused one. */
  record ReachingChunks() implements Wire {
    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      try {
        return table.apply(request);
      } catch (ConditionalCheckFailedException e) {
        if (request instanceof PutItemRequest put
            && kind(put.item()) == RowKind.FAN_OUT_CHUNK
            && e.hasItem()) {
          var chunk = (FanOutChunk) RowCodec.decode(e.item());
          var refused = (FanOutChunk) RowCodec.decode(put.item());
          var reaching = chunk.between(refused.first(), chunk.last());
          throw e.toBuilder().item(RowCodec.encode(reaching)).build();
        }
        throw e;
      }
    }
  }

  /** Returns the refused chunk instead of the stored one. */
  static final class OwnChunks implements Wire {
    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      try {
        return table.apply(request);
      } catch (ConditionalCheckFailedException e) {
        if (request instanceof PutItemRequest put && isChunk(put.item())) {
          throw e.toBuilder().item(put.item()).build();
        }
        throw e;
      }
    }

    private static boolean isChunk(@Nullable Map<String, AttributeValue> item) {
      return item != null
          && item.containsKey(RowKind.ATTRIBUTE)
          && item.get(RowKind.ATTRIBUTE).s().equals(RowKind.FAN_OUT_CHUNK.name());
    }
  }
}
