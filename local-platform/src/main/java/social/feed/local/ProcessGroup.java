package social.feed.local;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import social.feed.local.ChildProcess.Program;

/** Processes that run the same program. */
final class ProcessGroup implements AutoCloseable {
  /** Longer than a process takes to start again. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final List<ChildProcess> processes;
  private final BooleanSupplier isStopping;
  private final AtomicInteger turn = new AtomicInteger();

  private ProcessGroup(List<ChildProcess> processes, BooleanSupplier isStopping) {
    this.processes = processes;
    this.isStopping = isStopping;
  }

  /**
   * Starts processes and returns when all are ready.
   *
   * @param name name of each process in messages, before its number
   * @param ports returns the port of a process by its index, 0 for any free one
   * @param isStopping whether the platform stops, so that no process is started again and no call
   *     waits for one
   * @throws IllegalStateException if one does not start; then the others are stopped
   */
  static ProcessGroup start(
      String name, int count, IntUnaryOperator ports, Program program, BooleanSupplier isStopping) {
    var group =
        new ProcessGroup(
            IntStream.range(0, count)
                .mapToObj(
                    i ->
                        ChildProcess.start(
                            name + " " + (i + 1), ports.applyAsInt(i), program, isStopping))
                .toList(),
            isStopping);
    try {
      group.processes.forEach(ChildProcess::awaitFirstStart);
      return group;
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
  }

  /**
   * Returns the addresses of the first starts, which are those of all starts if the program keeps
   * its port.
   */
  List<URI> addresses() {
    return processes.stream().map(ChildProcess::awaitFirstStart).toList();
  }

  /**
   * Returns the address of a process that is ready, of each in turn. Waits for one for some
   * seconds.
   *
   * @throws IllegalStateException if none becomes ready in time, or the platform stops
   */
  URI next() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    do {
      for (int i = 0; i < processes.size(); i++) {
        @Nullable URI ready =
            processes.get(Math.floorMod(turn.getAndIncrement(), processes.size())).address();
        if (ready != null) {
          return ready;
        }
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    } while (!isStopping.getAsBoolean() && System.nanoTime() - end < 0);
    throw new IllegalStateException("No process is ready");
  }

  /** Kills all processes after a time, so that calls to one that hangs fail. */
  void killAfter(Duration time) {
    CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> processes.forEach(ChildProcess::kill));
  }

  /** Stops all processes. */
  @Override
  public void close() {
    try (var stopping = new ParallelStart()) {
      processes.forEach(
          process ->
              stopping.begin(
                  () -> {
                    process.close();
                    return process;
                  }));
    }
  }
}
