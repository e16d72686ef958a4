package social.feed.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import org.elasticmq.actor.queue.QueueEvent;
import org.elasticmq.persistence.sql.SqlQueuePersistenceActor;
import org.elasticmq.persistence.sql.SqlQueuePersistenceConfig;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Nil$;
import scala.util.Either;
import scalikejdbc.ConnectionPool;
import scalikejdbc.ConnectionPool$;

/**
 * The store for queue messages: an H2 file in a folder, or none.
 *
 * <p>ElasticMQ opens its database once in the life of a JVM and never closes it. This class
 * therefore opens and closes the pool. Otherwise a second folder would be served with the messages
 * of the first.
 */
final class StoredMessages implements AutoCloseable {

  private static final AtomicBoolean OPEN = new AtomicBoolean();
  private static final Duration RESTORE = Duration.ofSeconds(30);
  private static final String USER = "sa";

  private final @Nullable Path folder;
  private final @Nullable FolderLock lock;

  private StoredMessages(@Nullable Path folder, @Nullable FolderLock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  static StoredMessages open(Storage storage) {
    return switch (storage) {
      case Storage.InMemory() -> new StoredMessages(null, null);
      case Storage.Folder(Path path) -> openIn(path.toAbsolutePath());
    };
  }

  private static StoredMessages openIn(Path folder) {
    FolderLock lock = FolderLock.take(folder);
    if (!OPEN.compareAndSet(false, true)) {
      lock.close();
      throw new IllegalStateException("This JVM already serves the stored messages of a folder");
    }
    StoredMessages stored = new StoredMessages(folder, lock);
    try {
      openPool(uri(folder));
      return stored;
    } catch (RuntimeException e) {
      stored.close();
      throw damaged(folder, e);
    }
  }

  private static void openPool(String uri) {
    var settings = ConnectionPool.singleton$default$4();
    var factory = ConnectionPool.singleton$default$5(uri, USER, "", settings);
    ConnectionPool.singleton(uri, USER, "", settings, factory);
    try (var connection = ConnectionPool$.MODULE$.get(ConnectionPool.DEFAULT_NAME()).borrow()) {
      connection.getMetaData();
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException("The stored messages cannot be opened", e);
    }
  }

  /** By default H2 delays writes by half a second, and a hard kill would lose them. */
  private static String uri(Path folder) {
    return "jdbc:h2:file:"
        + folder.resolve("messages").toString().replace(";", "\\;")
        + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
  }

  private static DataFolderException damaged(Path folder, Throwable cause) {
    return new DataFolderException(
        folder,
        "holds messages.mv.db, which cannot be read",
        "Restore that file, or delete it to start with empty queues.",
        cause);
  }

  Option<ActorRef> actor(ActorSystem actors) {
    if (folder == null) {
      return Option.empty();
    }
    var settings =
        new SqlQueuePersistenceConfig(true, "org.h2.Driver", uri(folder), USER, "", false);
    return Option.apply(
        actors.actorOf(
            Props.create(
                SqlQueuePersistenceActor.class,
                () -> new SqlQueuePersistenceActor(settings, nothing()))));
  }

  @SuppressWarnings("unchecked")
  private static <T> scala.collection.immutable.List<T> nothing() {
    return (scala.collection.immutable.List<T>) Nil$.MODULE$;
  }

  /** Restores every stored queue and message, and returns when they can be received. */
  void restoreInto(ActorRef queues, Option<ActorRef> store) {
    if (folder == null) {
      return;
    }
    Object answer;
    try {
      answer =
          Patterns.ask(store.get(), new QueueEvent.Restore(queues), RESTORE)
              .toCompletableFuture()
              .join();
    } catch (CompletionException e) {
      throw damaged(folder, e);
    }
    if (answer instanceof Either<?, ?> either && either.isLeft()) {
      throw damaged(folder, new IllegalStateException(either.toString()));
    }
  }

  @Override
  public void close() {
    if (lock != null) {
      ConnectionPool.closeAll();
      OPEN.set(false);
      lock.close();
    }
  }
}
