package social.feed.simulation;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.RowKind;
import social.feed.table.row.SpecialFollower;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import social.feed.testkit.simulation.HistoryFocus;
import social.feed.testkit.simulation.Scale;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Planted bugs of verify, which takes correct rows for drift, and of the platform where only verify
 * looks.
 */
enum VerifyBug {
  /** Accounts do not claim their handles. */
  HANDLE_NOT_CLAIMED(HistoryFocus.ANYTHING) {
    @Override
    Wire platform() {
      return new PlantedBug.Rewriting(
          request ->
              PlantedBug.withoutWrites(
                  request,
                  write ->
                      write.put() != null
                          && PlantedWires.kind(write.put().item()) == RowKind.HANDLE_CLAIM),
          answer -> answer);
    }
  },
  /** The sweep for which erasures wait has no timer. */
  TIMER_NOT_SET(HistoryFocus.ERASURES) {
    @Override
    Wire platform() {
      return new LostTimers();
    }
  },
  /** A notification that was retracted passes for a lost one. */
  RETRACTED_TAKEN_FOR_LOST(HistoryFocus.RACES, 330) {
    @Override
    Wire inspection() {
      return new UnknownRetractions();
    }
  },
  /** The rows of an account whose erasure goes on pass for rows without their account. */
  RUNNING_ERASURE_IGNORED(HistoryFocus.ERASURES) {
    @Override
    Wire inspection() {
      return new Unread(RowKind.ERASURE);
    }
  },
  /** Readers who are away, whose feeds are left out, pass for present ones. */
  ABSENCE_IGNORED(HistoryFocus.ABSENCE, 470) {
    @Override
    Wire inspection() {
      return new Altered(RowKind.ACTIVITY, FeedActivity.LAST_READ_AT, AttributeValue.fromS(LATER));
    }
  },
  /** A notification whose record TTL has deleted before it passes for one that lives. */
  EXPIRED_TAKEN_FOR_LIVING(HistoryFocus.ABSENCE) {
    @Override
    Wire inspection() {
      return new Altered(RowKind.NOTIFICATION, BaseTable.TTL, AttributeValue.fromN("4000000000"));
    }
  };

  /** After each history. */
  private static final String LATER = "2027-01-01T00:00:00.000Z";

  private final HistoryFocus focus;
  private final long first;

  VerifyBug(HistoryFocus focus) {
    this(focus, 1);
  }

  /**
   * @param first the seed from which on a few histories find it
   */
  VerifyBug(HistoryFocus focus, long first) {
    this.focus = focus;
    this.first = first;
  }

  /** The seeds of the histories that find it. */
  LongStream seeds() {
    return focus.seedsFrom(first);
  }

  /** Alters the calls of API and function. */
  Wire platform() {
    return Wire.SOUND;
  }

  /** Alters what verify reads. */
  Wire inspection() {
    return Wire.SOUND;
  }

  /** The multiplexer and verify with this bug in one of them. */
  VerifiedMultiplexer subject() {
    return new VerifiedMultiplexer() {
      @Override
      public StreamFunction function(Table sound, Clock clock, Scale scale, Sinks sinks) {
        return super.function(WiredClient.table(sound, platform()), clock, scale, sinks);
      }

      @Override
      public Wire apiWire() {
        return platform();
      }

      @Override
      Wire inspection() {
        return VerifyBug.this.inspection();
      }
    };
  }

  /** Answers as if the timer of the sweep had been set. */
  private record LostTimers() implements Wire {
    @Override
    @SuppressWarnings("unchecked") // The response to a put is a PutItemResponse.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      return request instanceof PutItemRequest put
              && KeyAttributes.key(put.item()).equals(ErasureTimer.OF_SWEEP)
          ? (A) PutItemResponse.builder().build()
          : table.apply(request);
    }
  }

  /** Hides rows of a kind from reads by key. */
  private record Unread(RowKind kind) implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt answer has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      A answer = table.apply(request);
      return answer instanceof BatchGetItemResponse batch
          ? (A) altered(batch, items -> items.filter(item -> PlantedWires.kind(item) != kind))
          : answer;
    }
  }

  /** Returns an attribute of all rows of a kind with another value. */
  private record Altered(RowKind kind, String attribute, AttributeValue value) implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt answer has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      A answer = table.apply(request);
      return switch (answer) {
        case ScanResponse scan ->
            (A) scan.toBuilder().items(scan.items().stream().map(this::altered).toList()).build();
        case BatchGetItemResponse batch ->
            (A) VerifyBug.altered(batch, items -> items.map(this::altered));
        default -> answer;
      };
    }

    private Map<String, AttributeValue> altered(Map<String, AttributeValue> item) {
      if (PlantedWires.kind(item) != kind) {
        return item;
      }
      var altered = new HashMap<>(item);
      altered.put(attribute, value);
      return altered;
    }
  }

  private static BatchGetItemResponse altered(
      BatchGetItemResponse batch, UnaryOperator<Stream<Map<String, AttributeValue>>> change) {
    var items = new HashMap<>(batch.responses());
    items.replaceAll((_, found) -> change.apply(found.stream()).toList());
    return batch.toBuilder().responses(items).build();
  }

  /**
   * Hides from reads of notifications that their post was private once, and that the reader has
   * begun to follow specially after it.
   */
  private record UnknownRetractions() implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt answer has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      A answer = table.apply(request);
      return request instanceof BatchGetItemRequest get && readsNotifications(get)
          ? (A)
              altered(
                  (BatchGetItemResponse) answer,
                  items -> items.map(UnknownRetractions::unretracted))
          : answer;
    }

    private static boolean readsNotifications(BatchGetItemRequest request) {
      return request.requestItems().values().stream()
          .flatMap(keys -> keys.keys().stream())
          .anyMatch(key -> KeyAttributes.key(key).sort().startsWith(Keys.NOTIFICATIONS));
    }

    private static Map<String, AttributeValue> unretracted(Map<String, AttributeValue> item) {
      var altered = new HashMap<>(item);
      switch (PlantedWires.kind(item)) {
        case POST ->
            altered.keySet().removeAll(Set.of(Post.VISIBILITY_VERSION, Post.REFLECTED_VERSION));
        case SPECIAL_FOLLOWER ->
            altered.put(
                SpecialFollower.CREATED_AT, AttributeValue.fromS(Timestamps.format(Instant.EPOCH)));
        default -> {}
      }
      return altered;
    }
  }
}
