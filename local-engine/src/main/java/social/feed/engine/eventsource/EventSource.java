package social.feed.engine.eventsource;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Delivers the records of a DynamoDB stream to functions in this process, as Lambda does. Delivery
 * is at least once, and starts at the checkpoint or the trim horizon. Records of a shard (with a
 * parallelization factor, of a partition key) are in order, and parent shards precede their
 * children.
 *
 * <p>It relies on DynamoDB Local, where an empty page of the stream means that the tip is reached.
 */
public final class EventSource implements AutoCloseable {

  /** AWS throttles a third reader of a shard. */
  private static final int MAX_READERS = 2;

  /** Interval at which a drain wakes the shards. */
  private static final Duration DRAIN_STEP = Duration.ofMillis(5);

  private final EventSourceState sourceState;
  private final EventSourceContext context;
  private volatile List<MappingFollower> followers;

  private EventSource(EventSourceContext context, List<Subscription> subscriptions) {
    this.context = context;
    this.sourceState = context.sourceState();
    this.followers =
        subscriptions.stream()
            .map(each -> new MappingFollower(each, context, new MappingCounters()))
            .toList();
    followers.forEach(MappingFollower::start);
  }

  /**
   * Starts delivering.
   *
   * @param streams client that the caller owns, and keeps open until this is closed
   * @param subscriptions one or two, whose mappings have different names
   * @throws IllegalArgumentException for more than two subscriptions, or two mappings of one name
   */
  public static EventSource start(
      DynamoDbStreamsClient streams,
      String streamArn,
      Checkpoints checkpoints,
      EventSourceSettings settings,
      List<Subscription> subscriptions) {
    check(subscriptions);
    return new EventSource(
        new EventSourceContext(streams, streamArn, checkpoints, settings, new EventSourceState()),
        subscriptions);
  }

  /** Starts delivering, with standard settings. */
  public static EventSource start(
      DynamoDbStreamsClient streams,
      String streamArn,
      Checkpoints checkpoints,
      List<Subscription> subscriptions) {
    return start(streams, streamArn, checkpoints, EventSourceSettings.standard(), subscriptions);
  }

  private static void check(List<Subscription> subscriptions) {
    if (subscriptions.isEmpty() || subscriptions.size() > MAX_READERS) {
      throw new IllegalArgumentException(
          "A shard admits two readers, so a stream has one or two mappings, not "
              + subscriptions.size());
    }
    Set<String> names = new HashSet<>();
    subscriptions.forEach(
        each -> {
          if (!names.add(each.mapping().name())) {
            throw new IllegalArgumentException("Two mappings named " + each.mapping().name());
          }
        });
  }

  /** Polls all shards at once. Call it after a write when tens of milliseconds matter. */
  public void wake() {
    sourceState.wake();
  }

  /**
   * Returns when every mapping has handled (or given up) every record written before this call, and
   * every record that handling them caused. By then each mapping has found each open shard at its
   * tip. Each of these polls began after this call, and after the last call of any function ended.
   * A drain ends batching windows early. It does not wait for the end of tumbling windows, or for
   * threads that a function leaves behind. A function must not call this method.
   *
   * @throws DrainTimeoutException with the state of each shard
   * @throws IllegalStateException if deliveries are paused
   */
  public void drain(Duration timeout) {
    if (sourceState.isPaused()) {
      throw new IllegalStateException("Deliveries are paused. Resume them before a drain.");
    }
    long from = sourceState.tick();
    long deadline = System.nanoTime() + timeout.toNanos();
    sourceState.drainStarted();
    try {
      while (!isSettledSince(from)) {
        if (System.nanoTime() - deadline >= 0) {
          throw new DrainTimeoutException(timeout, status());
        }
        sourceState.wake();
        sourceState.await(DRAIN_STEP, () -> isSettledSince(from));
      }
    } finally {
      sourceState.drainEnded();
    }
  }

  private boolean isSettledSince(long tick) {
    long since = Math.max(tick, sourceState.quietSince());
    return since != Long.MAX_VALUE
        && followers.stream().allMatch(mapping -> mapping.isSettledSince(since));
  }

  /** Returns the status of each mapping, in the order of the subscriptions. */
  public List<MappingStatus> status() {
    long quiet = sourceState.quietSince();
    return followers.stream()
        .map(mapping -> mapping.status(quiet != Long.MAX_VALUE && mapping.isSettledSince(quiet)))
        .toList();
  }

  /** Pauses deliveries until {@link #resume}. Returns when no function runs. */
  public void pause() {
    sourceState.pause();
  }

  /** Pauses deliveries like {@link #pause}, without waiting for functions that run. */
  public void requestPause() {
    sourceState.requestPause();
  }

  public void resume() {
    sourceState.resume();
  }

  /**
   * Delivers every record of the stream to this mapping again, from the trim horizon. Returns when
   * the mapping has started again without its checkpoints. It waits for the mapping's running
   * calls, so its function must not call this method.
   *
   * @throws IllegalArgumentException if no mapping has this name
   */
  public synchronized void rewind(String mapping) {
    MappingFollower old =
        followers.stream()
            .filter(each -> each.name().equals(mapping))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("No mapping is named " + mapping));
    old.stop();
    context.checkpoints().forget(context.streamArn(), mapping);
    MappingFollower restarted = old.restarted();
    followers = followers.stream().map(each -> each == old ? restarted : each).toList();
    restarted.start();
  }

  /**
   * Stops delivering and returns when running calls have ended. Records that were not handled are
   * delivered at the next start.
   */
  @Override
  public synchronized void close() {
    followers.forEach(MappingFollower::stop);
  }
}
