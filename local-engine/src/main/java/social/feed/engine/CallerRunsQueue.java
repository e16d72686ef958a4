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
import software.amazon.dynamodb.services.local.shared.access.sqlite.AmazonDynamoDBOfflineSQLiteJob;

/**
 * Runs the engine's SQL on the thread of the request, one job at a time. The original queue runs
 * each job on its own thread, and the hand-over takes more processor time than most jobs.
 *
 * <p>The original queue still opens and closes the connection, runs a job, rolls back what a failed
 * job leaves and keeps its failure. The engine stores in a thread local that a transaction is open.
 * That variable belongs to the thread of the original queue, so here it moves from job to job.
 */
final class CallerRunsQueue extends SQLiteQueue {
  private static final MethodHandle RUN;
  private static final VarHandle THREAD_OF_CONNECTION;

  static {
    try {
      RUN =
          MethodHandles.privateLookupIn(SQLiteQueue.class, MethodHandles.lookup())
              .findVirtual(
                  SQLiteQueue.class,
                  "executeJob",
                  MethodType.methodType(void.class, SQLiteJob.class));
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

  /** Whether a transaction of several jobs is open; guarded by the lock. */
  private boolean isInTransaction;

  /** The connection of a queue, and the queue's thread, which must close it. */
  private record Opened(SQLiteConnection connection, Thread thread) {}

  /** Gives access to the engine's variable, which only its jobs can read. */
  private abstract static class Transactions extends AmazonDynamoDBOfflineSQLiteJob<Void> {
    static final ThreadLocal<Boolean> OPEN = manualTransactionsEnabled;
  }

  /**
   * Takes the connection of a queue that is started. Nothing may use that queue afterwards: a job
   * on its thread would lose the connection between the start and the end of its transaction.
   */
  CallerRunsQueue(SQLiteQueue original) {
    super(original.getDatabaseFile());
    this.original = original;
    this.opened = openedBy(original);
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

  /** Returns a job that is done. Its failure is thrown by {@code get}, as in the original queue. */
  @Override
  public <T, J extends SQLiteJob<T>> J execute(J job) {
    lock.lock();
    try {
      if (original.isStopped()) {
        job.cancel(true);
      } else {
        run(job);
      }
      return job;
    } finally {
      lock.unlock();
    }
  }

  private void run(SQLiteJob<?> job) {
    THREAD_OF_CONNECTION.setVolatile(opened.connection(), Thread.currentThread());
    Transactions.OPEN.set(isInTransaction);
    try {
      RUN.invokeExact(original, job);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    } finally {
      isInTransaction = Transactions.OPEN.get();
      Transactions.OPEN.remove();
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
