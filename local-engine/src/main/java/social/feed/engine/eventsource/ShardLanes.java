package social.feed.engine.eventsource;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Splits the records of a shard into concurrent lanes. Records with the same partition key share a
 * lane, in order.
 */
final class ShardLanes {

  private ShardLanes() {}

  static Collection<List<BatchRecord>> split(
      List<BatchRecord> round, String partitionKey, int lanes) {
    return lanes == 1
        ? List.of(round)
        : round.stream()
            .collect(
                Collectors.groupingBy(
                    record -> record.lane(partitionKey, lanes),
                    TreeMap::new,
                    Collectors.toUnmodifiableList()))
            .values();
  }

  /**
   * Delivers all lanes concurrently and returns when all are done. Throws the exception of a lane
   * that failed.
   */
  static void deliver(Collection<List<BatchRecord>> lanes, Consumer<List<BatchRecord>> delivery) {
    if (lanes.size() == 1) {
      lanes.forEach(delivery);
      return;
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<? extends Future<?>> running =
          lanes.stream().map(lane -> threads.submit(() -> delivery.accept(lane))).toList();
      running.forEach(ShardLanes::join);
    }
  }

  private static void join(Future<?> lane) {
    try {
      lane.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("A lane failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    }
  }
}
