package social.feed.engine.eventsource;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Feeds functions from a DynamoDB stream in this process, as Lambda does: at least once, in order
 * for a shard (or, with a parallelization factor, for a partition key), parents before children,
 * from the trim horizon or the checkpoint on.
 *
 * <p>Made for DynamoDB Local: an empty answer of the stream means that the tip is reached.
 */
public final class EventSource implements AutoCloseable {

  /** AWS throttles a third reader of a shard. */
  private static final int MAX_READERS = 2;

  /** A drain asks the shards to look again that often. */
  private static final Duration DRAIN_STEP = Duration.ofMillis(5);

  private final EventSourceState activity;
  private final EventSourceContext context;
  private volatile List<MappingFollower> followers;

  private EventSource(EventSourceContext context, List<Subscription> subscriptions) {
    this.context = context;
    this.activity = context.activity();
    this.followers =
        subscriptions.stream()
            .map(each -> new MappingFollower(each, context, new MappingCounters()))
            .toList();
    followers.forEach(MappingFollower::start);
  }

  /**
   * Starts delivering.
   *
   * @param streams stays the caller's, and open until this is closed
   * @param subscriptions one or two, their mappings named differently
   * @throws IllegalArgumentException more than two, or two of one name
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

  /** As the other one, with standard settings. */
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

  /** Looks for records at once; worth a call after a write when tens of milliseconds matter. */
  public void wake() {
    activity.wake();
  }

  /**
   * Returns when every record written before this call, and every record caused by handling those,
   * has been handled by every mapping (or given up): when each mapping has found each open shard at
   * its tip in a look that began after this call and after the last call of any function ended.
   * Cuts batching windows short; does not wait for tumbling windows to end, nor for threads that a
   * function leaves behind. Must not be called by a function.
   *
   * @throws DrainTimeoutException with the state of each shard
   * @throws IllegalStateException deliveries are paused
   */
  public void drain(Duration timeout) {
    if (activity.isPaused()) {
      throw new IllegalStateException("Deliveries are paused, so nothing will drain");
    }
    long from = activity.tick();
    long deadline = System.nanoTime() + timeout.toNanos();
    activity.drainStarted();
    try {
      while (!isSettledSince(from)) {
        if (System.nanoTime() - deadline >= 0) {
          throw new DrainTimeoutException(timeout, status());
        }
        activity.wake();
        activity.await(DRAIN_STEP, () -> isSettledSince(from));
      }
    } finally {
      activity.drainEnded();
    }
  }

  private boolean isSettledSince(long tick) {
    long since = Math.max(tick, activity.quietSince());
    return since != Long.MAX_VALUE
        && followers.stream().allMatch(mapping -> mapping.isSettledSince(since));
  }

  /** By mapping, in the order they were given. */
  public List<MappingStatus> status() {
    long quiet = activity.quietSince();
    return followers.stream()
        .map(mapping -> mapping.status(quiet != Long.MAX_VALUE && mapping.isSettledSince(quiet)))
        .toList();
  }

  /** Returns when no function runs any more; none is called until {@link #resume}. */
  public void pause() {
    activity.pause();
  }

  public void resume() {
    activity.resume();
  }

  /**
   * Delivers everything that the stream still has to this mapping again, from the trim horizon.
   * Returns when its checkpoints are forgotten and it has started again; waits for its running
   * calls, so it must not be called by them.
   *
   * @throws IllegalArgumentException no such mapping
   */
  public synchronized void rewind(String mapping) {
    MappingFollower old =
        followers.stream()
            .filter(each -> each.name().equals(mapping))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("No mapping is named " + mapping));
    old.stop();
    context.checkpoints().forget(context.streamArn(), mapping);
    MappingFollower restarted = old.again();
    followers = followers.stream().map(each -> each == old ? restarted : each).toList();
    restarted.start();
  }

  /** Returns when running calls have ended; what was not handled comes again at the next start. */
  @Override
  public synchronized void close() {
    followers.forEach(MappingFollower::stop);
  }
}
