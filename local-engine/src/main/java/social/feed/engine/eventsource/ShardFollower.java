package social.feed.engine.eventsource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * Takes one mapping through one shard, from its checkpoint to the shard's end. One thread runs it;
 * its status is read by others.
 */
final class ShardFollower implements Runnable {

  static final long NO_POLL = -1;

  private final ShardProcessor desk;
  private final EventSourceMapping mapping;
  private final EventSourceSettings settings;
  private final EventSourceState activity;
  private final BooleanSupplier stopped;
  private final BatchBuffer buffer;
  private final PollDelay pollDelay;
  private final Runnable atEnd;
  private ShardReader reader;
  private int failures;
  private boolean finished;
  private @Nullable Instant firstBuffered;
  private volatile long emptyPoll = NO_POLL;

  ShardFollower(
      ShardProcessor desk,
      Subscription subscription,
      EventSourceContext context,
      BooleanSupplier stopped,
      Runnable atEnd) {
    this.desk = desk;
    this.mapping = subscription.mapping();
    this.settings = context.settings();
    this.activity = context.activity();
    this.stopped = stopped;
    this.atEnd = atEnd;
    this.buffer = new BatchBuffer(mapping, desk.streamArn());
    this.pollDelay = new PollDelay(settings.shortestPoll(), settings.longestPoll());
    this.reader = desk.newReader();
  }

  @Override
  public void run() {
    try {
      while (!finished && !stopped.getAsBoolean()) {
        tryStep();
      }
    } catch (StoppedException e) {
      return;
    }
    if (finished) {
      atEnd.run();
    }
  }

  /**
   * Whatever fails outside the function (stream, filter, checkpoints): again from the checkpoint.
   */
  private void tryStep() {
    try {
      step();
      failures = 0;
    } catch (StoppedException e) {
      throw e;
    } catch (RuntimeException e) {
      failures++;
      desk.error("The event source itself failed: " + e);
      emptyPoll = NO_POLL;
      activity.awaitTime(settings.backoff().after(failures, settings.random()), stopped);
      buffer.clear();
      firstBuffered = null;
      reader = desk.backToCheckpoint();
    }
  }

  private void step() {
    desk.closeWindowIfOver();
    long seen = activity.wakes();
    if (fill()) {
      desk.deliver(buffer);
      firstBuffered = null;
      passFiltered();
    } else if (reader.hasEnded()) {
      desk.finish(reader.lastRead());
      finished = true;
    } else {
      activity.awaitWake(pollDelay.next(), seen, stopped);
    }
  }

  /** Reads until there is something to deliver; false at the tip or the end of the shard. */
  private boolean fill() {
    while (!buffer.isFull() && !stopped.getAsBoolean()) {
      long seen = activity.wakes();
      long tick = activity.tick();
      List<Record> page = reader.read();
      if (page.isEmpty() && buffer.isEmpty()) {
        atTip(tick);
        return false;
      }
      if (!page.isEmpty()) {
        emptyPoll = NO_POLL;
        pollDelay.reset();
        buffer.add(page);
        passFiltered();
      }
      if (!buffer.isEmpty() && page.size() < ShardReader.PAGE && isDue()) {
        return true;
      }
      if (page.isEmpty()) {
        activity.awaitWake(pollDelay.next(), seen, stopped);
      }
    }
    return !buffer.isEmpty();
  }

  private void atTip(long tick) {
    if (!reader.hasEnded()) {
      emptyPoll = tick;
      if (activity.isDraining()) {
        activity.signalQuiet();
      }
    }
  }

  /** When nothing is left of what was read, the checkpoint may pass what the filter dropped. */
  private void passFiltered() {
    if (buffer.isEmpty() && !reader.hasEnded()) {
      desk.passed(reader.lastRead());
    }
  }

  private boolean isDue() {
    Duration window = mapping.batchingWindow();
    if (window.isZero() || reader.hasEnded() || activity.isDraining()) {
      return true;
    }
    Instant now = settings.clock().instant();
    if (firstBuffered == null) {
      firstBuffered = now;
    }
    return !now.isBefore(firstBuffered.plus(window));
  }

  /** The tick before the last look, if that found the shard at its tip; else {@link #NO_POLL}. */
  long emptyPoll() {
    return emptyPoll;
  }

  ShardStatus status() {
    return desk.status(emptyPoll != NO_POLL);
  }

  String shardId() {
    return desk.shardId();
  }
}
