package social.feed.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.CountsRunner;
import social.feed.streams.EffectHandlers;
import social.feed.streams.EffectsRunner;
import social.feed.streams.Multiplexer;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.effect.ContinueCleanUpHandler.ContinueCleanUp;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.effect.FlipHandler.Flip;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowers;
import social.feed.streams.effect.RebuildHandler.Rebuild;
import social.feed.streams.effect.RemoveMediaHandler.RemoveMedia;
import social.feed.streams.plan.Plan;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.counter.DeferredCounters;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.media.MediaRemovals;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Media;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.Ranked;
import social.feed.table.row.Visibility;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import social.feed.testkit.simulation.HistoryFocus;
import social.feed.testkit.simulation.Scale;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Planted bugs: a simulation that does not find them proves nothing. */
enum PlantedBug {
  /** Counts are added without checkpoints. */
  NAIVE_ADD(HistoryFocus.LATE_WRITES) {
    @Override
    BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> counters(
        Table table, CelebrityRule rule) {
      var sound = new Counters(table, rule);
      return (shard, changes) -> {
        var failed = new HashMap<Key, RuntimeException>();
        changes.forEach(
            (item, each) -> {
              if (Ranked.of(item, shard).isPresent()) {
                failed.putAll(sound.applyEach(shard, Map.of(item, each)));
              } else {
                add(table, item, each).ifPresent(failure -> failed.put(item, failure));
              }
            });
        return failed;
      };
    }
  },
  /** Unread notifications are counted without checkpoints. */
  NAIVE_UNREAD(HistoryFocus.LATE_WRITES) {
    @Override
    BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> counters(
        Table table, CelebrityRule rule) {
      var sound = new Counters(table, rule);
      return (shard, changes) -> {
        var failed = new HashMap<Key, RuntimeException>();
        changes.forEach(
            (item, each) -> {
              if (Inbox.isAt(item) && table.get(item).isPresent()) {
                add(table, item, each).ifPresent(failure -> failed.put(item, failure));
              } else {
                failed.putAll(sound.applyEach(shard, Map.of(item, each)));
              }
            });
        return failed;
      };
    }
  },
  /** Counts of rankings are added with a checkpoint that no later batch reads. */
  NAIVE_RANK(HistoryFocus.LATE_WRITES) {
    @Override
    BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> counters(
        Table table, CelebrityRule rule) {
      var counters = new Counters(table, rule);
      var batches = new AtomicLong();
      return (shard, changes) -> {
        var failed = new HashMap<Key, RuntimeException>();
        changes.forEach(
            (item, each) -> {
              var ranked = Ranked.of(item, shard).isPresent();
              var mark = ranked ? shard + "-" + batches.incrementAndGet() : shard;
              failed.putAll(counters.applyEach(mark, Map.of(item, each)));
            });
        return failed;
      };
    }
  },
  /** One checkpoint serves all shards. */
  SCALAR_MARK(HistoryFocus.LATE_WRITES) {
    @Override
    BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> counters(
        Table table, CelebrityRule rule) {
      var counters = new Counters(table, rule);
      return (_, changes) -> counters.applyEach("the-one-shard", changes);
    }
  },
  /** A write requires a lower checkpoint, not the one that was read. */
  LOWER_MARK(HistoryFocus.LATE_WRITES) {
    @Override
    Wire wire() {
      return new Rewriting(PlantedBug::lower, answer -> answer);
    }
  },
  /** Two batches of a shard are counted at once. */
  OVERTAKING_BATCHES(HistoryFocus.LATE_WRITES) {
    @Override
    boolean letsBatchesOvertake() {
      return true;
    }
  },
  /** A failed record is left out, and the batch goes on. */
  GOING_ON(HistoryFocus.FAILED_CALLS) {
    @Override
    StreamFunction around(StreamFunction function) {
      return event -> {
        for (var record : event.getRecords()) {
          function.handle(part(event, List.of(record)));
        }
        var response = new TimeWindowEventResponse();
        response.setState(event.getState());
        response.setBatchItemFailures(List.of());
        return response;
      };
    }
  },
  /** Of the effects of one item in a batch, the first one stands for all. */
  FIRST_STATE(HistoryFocus.CELEBRITIES) {
    @Override
    StreamFunction around(StreamFunction function) {
      return leavingOut(
          function, records -> among(records, record -> record.getEventName().equals("MODIFY")));
    }
  },
  /** The last record of an item stands for all, also for its creation and its removal. */
  LAST_RECORD(HistoryFocus.FOLLOW_DURING_REMOVAL) {
    @Override
    StreamFunction around(StreamFunction function) {
      return leavingOut(function, records -> among(records.reversed(), _ -> true).reversed());
    }
  },
  /** Unprocessed items of a batch are not retried. */
  UNPROCESSED_IGNORED(HistoryFocus.PARTIAL_RESPONSES) {
    @Override
    Wire wire() {
      return new Rewriting(request -> request, PlantedBug::withoutRest);
    }
  },
  /** Special followers are notified of public posts, and not of posts for followers. */
  POSTS_FOR_FOLLOWERS_NOT_NOTIFIED(HistoryFocus.FOLLOW_DURING_REMOVAL) {
    @Override
    Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
      return without(PlantedBug::notifiesFollowers, handlers);
    }
  },
  /** Blocks and mutes are not checked before a notification. */
  NO_VIEWER_RELATIONS(HistoryFocus.LATE_WRITES) {
    @Override
    Wire wire() {
      return new Rewriting(PlantedBug::unbounded, answer -> answer);
    }
  },
  /** A quota is replaced without a condition. */
  UNGUARDED_QUOTA(HistoryFocus.CONCURRENT_REQUESTS) {
    @Override
    Wire apiWire() {
      return new Rewriting(PlantedBug::unguarded, answer -> answer);
    }
  },
  /** An erasure ends without a sweep, whatever is under way then. */
  NO_SWEEP(HistoryFocus.ERASURES) {
    @Override
    Wire wire() {
      return new Rewriting(PlantedBug::overAtOnce, answer -> answer);
    }
  },
  /** Neither the bytes nor the quota of a deleted file are released. */
  NO_MEDIA_REMOVAL(HistoryFocus.ERASURES) {
    @Override
    Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
      return without(RemoveMedia.class::isInstance, handlers);
    }
  },
  /** The bytes of a file stay where the store could not remove them at once. */
  FORGOTTEN_REMOVAL(HistoryFocus.ERASURES) {
    @Override
    Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
      var removals = new MediaRemovals(table);
      return effects -> {
        handlers.apply(effects);
        effects.stream()
            .filter(RemoveMedia.class::isInstance)
            .map(RemoveMedia.class::cast)
            .forEach(removal -> removals.done(removal.media().mediaId()));
      };
    }
  },
  /** The file of a replaced picture stays. */
  REPLACED_PICTURE_KEPT(HistoryFocus.ERASURES) {
    @Override
    Wire apiWire() {
      return new Rewriting(PlantedBug::keepingPictures, answer -> answer);
    }
  },
  /** A file is shown without a claim, so that another picture or post can take it. */
  PICTURE_NOT_CLAIMED(HistoryFocus.ERASURES) {
    @Override
    Wire apiWire() {
      return new Rewriting(PlantedBug::notClaimingPictures, answer -> answer);
    }
  },
  /** The feed of a returning reader is not rebuilt. */
  NO_REBUILD(HistoryFocus.ABSENCE) {
    @Override
    Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
      return without(Rebuild.class::isInstance, handlers);
    }
  },
  /** Unread notifications that TTL deletes stay counted. */
  EXPIRY_IGNORED(HistoryFocus.ABSENCE) {
    @Override
    StreamFunction around(StreamFunction function) {
      return event ->
          function.handle(
              part(
                  event,
                  event.getRecords().stream()
                      .filter(record -> record.getUserIdentity() == null)
                      .toList()));
    }
  },
  /** Accounts become celebrities without an entry in the registry. */
  NO_FLIP(HistoryFocus.CELEBRITIES) {
    @Override
    Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
      return without(Flip.class::isInstance, handlers);
    }
  },
  /** A new follower gets no backfill. */
  NO_BACKFILL(HistoryFocus.LATE_WRITES) {
    @Override
    Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
      return without(Backfill.class::isInstance, handlers);
    }
  },
  /** What the first part of a removal leaves stays. */
  REST_KEPT(HistoryFocus.UNFOLLOW_DURING_DELIVERY) {
    @Override
    Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
      return without(ContinueCleanUp.class::isInstance, handlers);
    }
  },
  /** The special followers that the first part leaves are not notified. */
  NOTIFIED_IN_PART(HistoryFocus.FOLLOW_DURING_REMOVAL) {
    @Override
    Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
      return without(effect -> isPart(effect, Cause.ANNOUNCED), handlers);
    }
  },
  /** The fan-out does not check whether all readers still follow. */
  NO_CHECK_AFTER_WRITE(HistoryFocus.UNFOLLOW_DURING_DELIVERY) {
    @Override
    Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
      var fanOut = new UncheckedFanOut(table);
      return effects -> {
        if (effects.getFirst() instanceof FanOut) {
          effects.forEach(effect -> fanOut.deliver(((FanOut) effect).post()));
        } else {
          handlers.apply(effects);
        }
      };
    }
  };

  private final HistoryFocus focus;

  PlantedBug(HistoryFocus focus) {
    this.focus = focus;
  }

  /** The focus of the histories that find it. */
  HistoryFocus focus() {
    return focus;
  }

  private static Consumer<List<Effect>> without(
      Predicate<Effect> skipped, EffectHandlers handlers) {
    return effects -> {
      var all = effects.stream().filter(Predicate.not(skipped)).toList();
      if (!all.isEmpty()) {
        handlers.apply(all);
      }
    };
  }

  private static boolean notifiesFollowers(Effect effect) {
    return effect instanceof NotifySpecialFollowers notify
        && notify.post().visibility() == Visibility.FOLLOWERS;
  }

  private static boolean isPart(Effect effect, Cause cause) {
    return effect instanceof ContinueCleanUp part && part.cause() == cause;
  }

  BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> counters(
      Table table, CelebrityRule rule) {
    return new Counters(table, rule)::applyEach;
  }

  Consumer<List<Effect>> handlers(EffectHandlers handlers, Table table) {
    return handlers::apply;
  }

  StreamFunction around(StreamFunction function) {
    return function;
  }

  Wire wire() {
    return Wire.SOUND;
  }

  Wire apiWire() {
    return Wire.SOUND;
  }

  boolean letsBatchesOvertake() {
    return false;
  }

  /** The multiplexer with this bug in it. */
  MultiplexerSubject subject() {
    return new MultiplexerSubject() {
      @Override
      public StreamFunction function(Table sound, Clock clock, Scale scale, Sinks sinks) {
        var table = WiredClient.table(sound, wire());
        var plan = new Plan(NOTIFICATIONS_LIVE);
        var rule = new CelebrityRule(scale.celebrityFrom());
        var handlers = multiplexerHandlers(table, clock, scale, sinks);
        var counts =
            new CountsRunner(
                plan,
                counters(table, rule),
                new DeferredCounters(table, Optional.of(rule), clock)::leaveOut,
                deadLetter -> sinks.deadLetters().accept(deadLetter.record()));
        var effects =
            new EffectsRunner(
                plan,
                handlers(handlers, table),
                deadLetter -> sinks.deadLetters().accept(deadLetter.record()),
                handlers::deadLettered,
                MultiplexerSubject.IN_TURN);
        return around(bothLanes(new Multiplexer(counts, effects)));
      }

      @Override
      public Wire apiWire() {
        return PlantedBug.this.apiWire();
      }

      @Override
      public boolean letsBatchesOvertake() {
        return PlantedBug.this.letsBatchesOvertake();
      }
    };
  }

  /** Changes requests or responses on their way. */
  record Rewriting(
      Function<DynamoDbRequest, DynamoDbRequest> requests, Function<Object, Object> answers)
      implements Wire {
    @Override
    @SuppressWarnings("unchecked") // A rebuilt object has the type of the original.
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      return (A) answers.apply(table.apply((Q) requests.apply(request)));
    }
  }

  private static DynamoDbRequest lower(DynamoDbRequest request) {
    if (!(request instanceof UpdateItemRequest update) || update.conditionExpression() == null) {
      return request;
    }
    var values = new HashMap<>(update.expressionAttributeValues());
    values.remove(":if_marks");
    var absent = "attribute_not_exists(#marks.#if_marks)";
    var lower = "#marks.#if_marks < :entry1";
    var condition =
        update
            .conditionExpression()
            .replace(absent, "(%s OR %s)".formatted(absent, lower))
            .replace("#marks.#if_marks = :if_marks", lower);
    return update.toBuilder()
        .conditionExpression(condition)
        .expressionAttributeValues(values)
        .build();
  }

  private static DynamoDbRequest unbounded(DynamoDbRequest request) {
    if (!(request instanceof QueryRequest query)) {
      return request;
    }
    var values = new HashMap<>(query.expressionAttributeValues());
    var blocksAndMutes =
        Stream.of(Keys.BLOCKS_BOTH_WAYS, Keys.MUTES).map(AttributeValue::fromS).toList();
    if (values.values().stream().noneMatch(blocksAndMutes::contains)) {
      return request;
    }
    values.replaceAll(
        (_, value) -> blocksAndMutes.contains(value) ? value : AttributeValue.fromS("no-account"));
    return query.toBuilder().expressionAttributeValues(values).build();
  }

  private static DynamoDbRequest overAtOnce(DynamoDbRequest request) {
    return request instanceof TransactWriteItemsRequest transaction
        ? transaction.toBuilder()
            .transactItems(
                transaction.transactItems().stream().flatMap(PlantedBug::overAtOnce).toList())
            .build()
        : request;
  }

  private static Stream<TransactWriteItem> overAtOnce(TransactWriteItem write) {
    return switch (write.put() == null ? null : RowCodec.decode(write.put().item())) {
      case Erasure erasure when erasure.step() == ErasureStep.RESTING ->
          Stream.of(
              write.toBuilder()
                  .put(
                      write.put().toBuilder()
                          .item(RowCodec.encode(erasure.swept(true, erasure.requestedAt())))
                          .build())
                  .build());
      case PendingErasure _ -> Stream.empty();
      case null, default -> Stream.of(write);
    };
  }

  private static DynamoDbRequest unguarded(DynamoDbRequest request) {
    return request instanceof TransactWriteItemsRequest transaction
        ? transaction.toBuilder()
            .transactItems(transaction.transactItems().stream().map(PlantedBug::unguarded).toList())
            .build()
        : request;
  }

  private static DynamoDbRequest keepingPictures(DynamoDbRequest request) {
    return withoutWrites(request, write -> write.delete() != null && isMedia(write.delete().key()));
  }

  private static DynamoDbRequest notClaimingPictures(DynamoDbRequest request) {
    return withoutWrites(
        request,
        write ->
            write.update() != null
                && isMedia(write.update().key())
                && write.update().updateExpression().contains(Media.SHOWN_AS));
  }

  private static boolean isMedia(Map<String, AttributeValue> item) {
    var key = KeyAttributes.key(item);
    return key.partition().startsWith("MEDIA#");
  }

  static DynamoDbRequest withoutWrites(DynamoDbRequest request, Predicate<TransactWriteItem> left) {
    return request instanceof TransactWriteItemsRequest transaction
        ? transaction.toBuilder()
            .transactItems(transaction.transactItems().stream().filter(left.negate()).toList())
            .build()
        : request;
  }

  private static TransactWriteItem unguarded(TransactWriteItem write) {
    return write.put() != null && RowCodec.decode(write.put().item()) instanceof FollowQuota
        ? TransactWriteItem.builder()
            .put(Put.builder().tableName(write.put().tableName()).item(write.put().item()).build())
            .build()
        : write;
  }

  /** Drops what a batch call left unprocessed. */
  static Object withoutRest(Object answer) {
    return switch (answer) {
      case BatchWriteItemResponse write -> write.toBuilder().unprocessedItems(Map.of()).build();
      case BatchGetItemResponse get -> get.toBuilder().unprocessedKeys(Map.of()).build();
      default -> answer;
    };
  }

  /** Passes on some records of each batch of the effects lane. */
  private static StreamFunction leavingOut(
      StreamFunction function, UnaryOperator<List<DynamodbStreamRecord>> passed) {
    return event ->
        function.handle(
            event.getShardId() == null ? part(event, passed.apply(event.getRecords())) : event);
  }

  /** Of the records of each item that a predicate selects, only the first. */
  private static List<DynamodbStreamRecord> among(
      List<DynamodbStreamRecord> records, Predicate<DynamodbStreamRecord> selected) {
    var seen = new HashSet<>();
    return records.stream()
        .filter(record -> !selected.test(record) || seen.add(record.getDynamodb().getKeys()))
        .toList();
  }

  static DynamodbTimeWindowEvent part(
      DynamodbTimeWindowEvent event, List<DynamodbStreamRecord> records) {
    var part = new DynamodbTimeWindowEvent();
    part.setShardId(event.getShardId());
    part.setState(event.getState());
    part.setRecords(records);
    return part;
  }

  private static Optional<RuntimeException> add(Table table, Key item, List<CountChange> changes) {
    try {
      for (var change : changes) {
        var update = new Update().add(change.attribute(), change.delta());
        table.update(item, update, Condition.present());
      }
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }
}
