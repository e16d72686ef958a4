package social.feed.engine.eventsource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * Reads one shard for one mapping, from the checkpoint to the end of the shard. One thread runs it;
 * other threads read its status.
 */
final class ShardFollower implements Runnable {

  static final long NO_POLL = -1;

  private final ShardProcessor processor;
  private final EventSourceMapping mapping;
  private final EventSourceSettings settings;
  private final EventSourceState sourceState;
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
      ShardProcessor processor,
      Subscription subscription,
      EventSourceContext context,
      BooleanSupplier stopped,
      Runnable atEnd) {
    this.processor = processor;
    this.mapping = subscription.mapping();
    this.settings = context.settings();
    this.sourceState = context.sourceState();
    this.stopped = stopped;
    this.atEnd = atEnd;
    this.buffer = new BatchBuffer(mapping, processor.streamArn());
    this.pollDelay = new PollDelay(settings.shortestPoll(), settings.longestPoll());
    this.reader = processor.newReader();
  }

  @Override
  public void run() {
    try {
      while (!finished && !stopped.getAsBoolean()) {
        tryStep();
      }
    } catch (StoppedException e) {
      return;
    } finally {
      processor.endCalls();
    }
    if (finished) {
      atEnd.run();
    }
  }

  /**
   * Runs a step. After a failure outside the function (stream, filter, checkpoints), the next step
   * starts at the checkpoint again.
   */
  private void tryStep() {
    try {
      step();
      failures = 0;
    } catch (StoppedException e) {
      throw e;
    } catch (RuntimeException e) {
      failures++;
      processor.error("The event source itself failed: " + e);
      emptyPoll = NO_POLL;
      sourceState.awaitTime(settings.backoff().after(failures, settings.random()), stopped);
      processor.endCalls();
      buffer.clear();
      firstBuffered = null;
      reader = processor.backToCheckpoint();
    }
  }

  private void step() {
    processor.closeWindowIfOver();
    processor.requireNoFailure();
    long seen = sourceState.wakes();
    if (fill()) {
      processor.deliver(buffer);
      firstBuffered = null;
      advancePastFiltered();
    } else if (reader.hasEnded()) {
      processor.awaitIdle();
      processor.finish(reader.lastRead());
      finished = true;
    } else {
      sourceState.awaitWake(pollDelay.next(), seen, stopped);
    }
  }

  /** Reads until a batch is due; returns false at the tip or the end of the shard. */
  private boolean fill() {
    while (!buffer.isFull() && !stopped.getAsBoolean()) {
      long seen = sourceState.wakes();
      long tick = sourceState.tick();
      List<Record> page = reader.read();
      if (page.isEmpty() && buffer.isEmpty()) {
        atTip(tick);
        return false;
      }
      if (!page.isEmpty()) {
        emptyPoll = NO_POLL;
        pollDelay.reset();
        buffer.add(page);
        advancePastFiltered();
      }
      if (!buffer.isEmpty() && page.size() < ShardReader.PAGE && isDue()) {
        return true;
      }
      if (page.isEmpty()) {
        sourceState.awaitWake(pollDelay.next(), seen, stopped);
      }
    }
    return !buffer.isEmpty();
  }

  private void atTip(long tick) {
    // The end of the last call wakes this thread, which then finds the tip again.
    if (!reader.hasEnded() && processor.isIdle()) {
      advancePastFiltered();
      emptyPoll = tick;
      if (sourceState.isDraining()) {
        sourceState.signalQuiet();
      }
    }
  }

  /**
   * Moves the checkpoint past records that the filter dropped, if no record waits in the buffer or
   * is on its way.
   */
  private void advancePastFiltered() {
    var last = reader.lastRead();
    if (last != null && buffer.isEmpty() && !reader.hasEnded() && processor.isIdle()) {
      processor.advanceTo(last);
    }
  }

  private boolean isDue() {
    Duration window = mapping.batchingWindow();
    if (window.isZero() || reader.hasEnded() || sourceState.isDraining()) {
      return true;
    }
    Instant now = settings.clock().instant();
    if (firstBuffered == null) {
      firstBuffered = now;
    }
    return !now.isBefore(firstBuffered.plus(window));
  }

  /**
   * Returns the tick before the last poll if that found the shard at its tip, otherwise {@link
   * #NO_POLL}.
   */
  long emptyPoll() {
    return emptyPoll;
  }

  MappingStatus.Shard status() {
    return processor.status(emptyPoll != NO_POLL);
  }
}
