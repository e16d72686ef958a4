package social.feed.engine.eventsource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;

/**
 * Starts a {@link ShardFollower} for each shard of the stream, for one mapping, parents before
 * children.
 */
final class MappingFollower {

  /** Interval between listings of the shards. The end of a shard triggers one at once. */
  private static final Duration DISCOVER = Duration.ofSeconds(5);

  /** The interval while no shard is open, because the child of the last one is about to appear. */
  private static final Duration DISCOVER_CHILD = Duration.ofMillis(100);

  private record Running(ShardFollower follower, Thread thread) {}

  private final Subscription subscription;
  private final EventSourceContext context;
  private final MappingCounters counters;
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean stopped;
  private volatile boolean shardEnded;
  private volatile long endedTick;
  private volatile long describedTick = ShardFollower.NO_POLL;

  MappingFollower(Subscription subscription, EventSourceContext context, MappingCounters counters) {
    this.subscription = subscription;
    this.context = context;
    this.counters = counters;
    this.thread = Thread.ofVirtual().name("mapping " + name()).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  String name() {
    return subscription.mapping().name();
  }

  private void run() {
    for (int failures = 0; !stopped; ) {
      try {
        discover();
        failures = 0;
        awaitShardEnd();
      } catch (StoppedException e) {
        return;
      } catch (RuntimeException e) {
        failures++;
        counters.error("The stream cannot be described: " + e);
        var settings = context.settings();
        context
            .sourceState()
            .await(settings.backoff().after(failures, settings.random()), () -> stopped);
      }
    }
  }

  private void awaitShardEnd() {
    context
        .sourceState()
        .await(running.isEmpty() ? DISCOVER_CHILD : DISCOVER, () -> shardEnded || stopped);
  }

  private void discover() {
    shardEnded = false;
    long tick = context.sourceState().tick();
    List<Shard> listed = new ArrayList<>();
    String partitionKey = list(listed);
    // Before the checkpoints: a shard that ends in between would look unfinished and not read.
    Set<String> beingRead = Set.copyOf(running.keySet());
    Map<String, Checkpoint> at = context.checkpoints().of(context.streamArn(), name());
    Lineage.startable(listed, at, beingRead).forEach(shard -> start(shard, partitionKey, at));
    context.checkpoints().keepOnly(context.streamArn(), name(), Lineage.needed(listed, at));
    describedTick = tick;
  }

  /**
   * Adds all shards of the stream to the list and returns the name of the table's partition key.
   */
  private String list(List<Shard> into) {
    @Nullable String last = null;
    StreamDescription page;
    do {
      String after = last;
      page =
          context
              .streams()
              .describeStream(d -> d.streamArn(context.streamArn()).exclusiveStartShardId(after))
              .streamDescription();
      into.addAll(page.shards());
      last = page.lastEvaluatedShardId();
    } while (last != null);
    return page.keySchema().stream()
        .filter(key -> key.keyType() == KeyType.HASH)
        .findFirst()
        .orElseThrow()
        .attributeName();
  }

  private void start(Shard shard, String partitionKey, Map<String, Checkpoint> checkpoints) {
    ShardId id = new ShardId(context.streamArn(), name(), shard.shardId());
    Checkpoint from = checkpoints.getOrDefault(shard.shardId(), Checkpoint.TRIM_HORIZON);
    ShardProcessor processor =
        new ShardProcessor(context, id, partitionKey, subscription, counters, () -> stopped, from);
    ShardFollower follower =
        new ShardFollower(processor, subscription, context, () -> stopped, () -> ended(id));
    Thread reading =
        Thread.ofVirtual().name("shard " + id.shardId() + " for " + name()).unstarted(follower);
    running.put(shard.shardId(), new Running(follower, reading));
    reading.start();
  }

  private void ended(ShardId shard) {
    endedTick = context.sourceState().tick();
    running.remove(shard.shardId());
    shardEnded = true;
    context.sourceState().wake();
  }

  /**
   * Returns whether a poll that began after the tick found every open shard at its tip. The shards
   * must have been listed after the last end of a shard, both before and after this check.
   */
  boolean isSettledSince(long tick) {
    long ended = endedTick;
    if (describedTick <= ended || shardEnded) {
      return false;
    }
    boolean any = false;
    for (Running each : running.values()) {
      any = true;
      if (each.follower().emptyPoll() <= tick) {
        return false;
      }
    }
    return ended == endedTick && (any || describedTick > tick);
  }

  MappingStatus status(boolean idle) {
    return new MappingStatus(
        name(),
        counters.handled.sum(),
        counters.givenUp.sum(),
        counters.failedInvocations.sum(),
        counters.lastError(),
        idle,
        running.values().stream().map(each -> each.follower().status()).toList());
  }

  /** Stops the mapping and returns when its threads have ended. Running calls end first. */
  void stop() {
    stopped = true;
    context.sourceState().wake();
    join(thread);
    running.values().forEach(each -> join(each.thread()));
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  MappingFollower restarted() {
    return new MappingFollower(subscription, context, counters);
  }
}
