package social.feed.engine;

import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteJob;
import com.almworks.sqlite4java.SQLiteQueue;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import software.amazon.dynamodb.services.local.shared.access.LocalDBAccess;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;

/**
 * Runs the engine's SQL on the thread of the request, one job at a time. The original queue runs
 * each job on its own thread, and the hand-over takes more processor time than most jobs.
 *
 * <p>The connection stays the one of the original queue, which opens and closes it.
 */
final class CallerRunsQueue extends SQLiteQueue {
  private static final MethodHandle RUN;
  private static final VarHandle THREAD_OF_CONNECTION;

  static {
    try {
      RUN =
          MethodHandles.privateLookupIn(SQLiteJob.class, MethodHandles.lookup())
              .findVirtual(
                  SQLiteJob.class,
                  "execute",
                  MethodType.methodType(void.class, SQLiteConnection.class, SQLiteQueue.class));
      THREAD_OF_CONNECTION =
          MethodHandles.privateLookupIn(SQLiteConnection.class, MethodHandles.lookup())
              .findVarHandle(SQLiteConnection.class, "myConfinement", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw EngineInternals.moved(e);
    }
  }

  private final SQLiteQueue original;
  private final Opened opened;
  private final ReentrantLock lock = new ReentrantLock();

  /** The connection of a queue, and the queue's thread, which must close it. */
  private record Opened(SQLiteConnection connection, Thread thread) {}

  private CallerRunsQueue(SQLiteQueue original) {
    super(original.getDatabaseFile());
    this.original = original;
    this.opened = openedBy(original);
  }

  /** Replaces the queue of a database that serves no requests yet. */
  static void install(LocalDBAccess database) {
    var original = (SQLiteQueue) EngineInternals.read(SQLiteDBAccess.class, "queue", database);
    EngineInternals.write(SQLiteDBAccess.class, "queue", database, new CallerRunsQueue(original));
  }

  private static Opened openedBy(SQLiteQueue queue) {
    try {
      return queue
          .execute(
              new SQLiteJob<Opened>() {
                @Override
                protected Opened job(SQLiteConnection connection) {
                  return new Opened(connection, Thread.currentThread());
                }
              })
          .get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the database was opened", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("The database cannot be opened", e);
    }
  }

  @Override
  public <T, J extends SQLiteJob<T>> J execute(J job) {
    lock.lock();
    try {
      if (original.isStopped()) {
        job.cancel(true);
        return job;
      }
      THREAD_OF_CONNECTION.setVolatile(opened.connection(), Thread.currentThread());
      RUN.invokeExact((SQLiteJob<?>) job, opened.connection(), (SQLiteQueue) this);
      return job;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    } finally {
      lock.unlock();
    }
  }

  /** Stops after the running job; the original thread closes the connection. */
  @Override
  public SQLiteQueue stop(boolean gracefully) {
    lock.lock();
    try {
      THREAD_OF_CONNECTION.setVolatile(opened.connection(), opened.thread());
      original.stop(gracefully);
      return this;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public SQLiteQueue join() throws InterruptedException {
    original.join();
    return this;
  }

  @Override
  public boolean isStopped() {
    return original.isStopped();
  }

  /** The caller runs its jobs, so no caller waits for a job of its own thread. */
  @Override
  public boolean isDatabaseThread() {
    return false;
  }
}
