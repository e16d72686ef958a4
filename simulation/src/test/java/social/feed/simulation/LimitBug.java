package social.feed.simulation;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.effect.Effect;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.RecentDelivery;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import social.feed.testkit.simulation.Scale;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Planted bugs that show only where a cloud's limits strike. */
enum LimitBug {
  /** A write that a partition refuses passes for one that was done. */
  THROTTLED_WRITE_SWALLOWED(1) {
    @Override
    Wire wire() {
      return new Wire() {
        @Override
        @SuppressWarnings("unchecked") // Each request has its own type of response.
        public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
          try {
            return table.apply(request);
          } catch (ProvisionedThroughputExceededException e) {
            return switch (request) {
              case PutItemRequest _ -> (A) PutItemResponse.builder().build();
              case UpdateItemRequest _ -> (A) UpdateItemResponse.builder().build();
              case DeleteItemRequest _ -> (A) DeleteItemResponse.builder().build();
              default -> throw e;
            };
          }
        }
      };
    }
  },
  /** A handler that is stopped at the deadline counts as done. */
  DONE_AT_THE_DEADLINE(111) {
    @Override
    Consumer<List<Effect>> handlers(Consumer<List<Effect>> handlers) {
      return effects -> {
        try {
          handlers.accept(effects);
        } catch (SdkClientException e) {
          if (!requireNonNull(e.getMessage()).contains("about to end")) {
            throw e;
          }
        }
      };
    }
  },
  /** What a batch call leaves unprocessed is dropped. */
  UNPROCESSED_DROPPED(1009) {
    @Override
    Wire wire() {
      return new PlantedBug.Rewriting(request -> request, PlantedBug::withoutRest);
    }
  },
  /**
   * Likes and comments are counted once for each batch that succeeds. One that was cut is counted
   * again from its beginning.
   */
  RESUMED_FROM_THE_BEGINNING(361) {
    @Override
    BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> counters(
        Table table, CelebrityRule rule) {
      var sound = new Counters(table, rule);
      Set<String> done = new HashSet<>();
      return (shard, changes) -> {
        var failed = new HashMap<Key, RuntimeException>();
        var rest = new HashMap<>(changes);
        changes.forEach(
            (item, each) -> {
              if (item.partition().startsWith(POSTS)) {
                rest.remove(item);
                try {
                  each.stream()
                      .filter(change -> !done.contains(shard + item + change))
                      .forEach(change -> add(table, item, change));
                } catch (RuntimeException e) {
                  failed.put(item, e);
                }
              }
            });
        failed.putAll(sound.applyEach(shard, rest));
        if (failed.isEmpty()) {
          changes.forEach((item, each) -> each.forEach(one -> done.add(shard + item + one)));
        }
        return failed;
      };
    }
  },
  /** A transaction that met another one, or a full partition, passes for a failed condition. */
  CONFLICT_TAKEN_FOR_A_CONDITION(491) {
    @Override
    Wire wire() {
      return new Wire() {
        @Override
        public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
          try {
            return table.apply(request);
          } catch (TransactionCanceledException e) {
            throw e.toBuilder()
                .cancellationReasons(
                    e.cancellationReasons().stream().map(LimitBug::asCondition).toList())
                .build();
          }
        }
      };
    }
  },
  /** A delivery is not noted at its author, so an index that lags hides its post. */
  DELIVERY_NOT_NOTED(340) {
    @Override
    Wire wire() {
      return new PlantedWires.Without(item -> RowCodec.decode(item) instanceof RecentDelivery);
    }
  },
  /** Strong reads are eventually consistent. */
  WEAK_READS(661) {
    @Override
    Wire wire() {
      return new PlantedBug.Rewriting(PlantedWires.WeakAfterWrites::weak, answer -> answer);
    }
  };

  private static final String POSTS = Keys.post("id").replace("id", "");

  private final long first;

  /**
   * @param first the seed from which on a few histories find the bug
   */
  LimitBug(long first) {
    this.first = first;
  }

  long first() {
    return first;
  }

  Wire wire() {
    return Wire.SOUND;
  }

  Consumer<List<Effect>> handlers(Consumer<List<Effect>> handlers) {
    return handlers;
  }

  BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> counters(
      Table table, CelebrityRule rule) {
    return new Counters(table, rule)::applyEach;
  }

  /** The multiplexer with this bug in it. */
  MultiplexerSubject subject() {
    return new MultiplexerSubject() {
      @Override
      public StreamFunction function(Table sound, VirtualTime time, Scale scale, Sinks sinks) {
        var table = WiredClient.table(sound, wire());
        var rule = new CelebrityRule(scale.celebrityFrom());
        return function(table, time, scale, sinks, counters(table, rule), LimitBug.this::handlers);
      }
    };
  }

  private static void add(Table table, Key item, CountChange change) {
    // Where the post is gone, its counters are too.
    var update = new Update().add(change.attribute(), change.delta());
    table.update(item, update, Condition.present());
  }

  private static CancellationReason asCondition(CancellationReason reason) {
    return "None".equals(reason.code())
        ? reason
        : reason.toBuilder().code("ConditionalCheckFailed").build();
  }
}
