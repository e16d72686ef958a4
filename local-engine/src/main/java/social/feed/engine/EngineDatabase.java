package social.feed.engine;

import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteConstants;
import com.almworks.sqlite4java.SQLiteException;
import com.almworks.sqlite4java.SQLiteStatement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.server.Handler;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ListTablesRequest;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;
import software.amazon.dynamodb.services.local.shared.access.LocalDBClient;
import software.amazon.dynamodb.services.local.shared.jobs.JobsRegister;

/** The database behind {@link LocalDynamoDb}: a SQLite file, or memory. */
final class EngineDatabase implements AutoCloseable {

  /** The engine's name for the one database of all credentials and regions. */
  private static final String NAME = "shared-local-instance";

  private static final String FILE = NAME + ".db";
  private static final byte[] SQLITE = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  /**
   * Kept in a field, because java.util.logging discards the level of a logger without a reference.
   */
  private static final Logger SQLITE_LOG = Logger.getLogger("com.almworks.sqlite4java");

  private final LocalDynamoDBRequestHandler requests;
  private final @Nullable FolderLock lock;

  private EngineDatabase(LocalDynamoDBRequestHandler requests, @Nullable FolderLock lock) {
    this.requests = requests;
    this.lock = lock;
  }

  static EngineDatabase open(Storage storage) {
    SQLITE_LOG.setLevel(Level.WARNING);
    return switch (storage) {
      case Storage.InMemory() -> opened(null, null);
      case Storage.Folder(Path path) -> openedIn(path);
    };
  }

  private static EngineDatabase openedIn(Path folder) {
    FolderLock lock = FolderLock.take(folder);
    try {
      rejectDamaged(folder);
      keepLastRecord(folder);
      return opened(folder, lock);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static EngineDatabase opened(@Nullable Path folder, @Nullable FolderLock lock) {
    LocalDynamoDBRequestHandler requests =
        new LocalDynamoDBRequestHandler(
            0, folder == null, folder == null ? null : folder.toString(), true, false);
    EngineDatabase database = new EngineDatabase(requests, lock);
    var access = quick(folder);
    if (folder != null) {
      access.numberRecordsFrom(System.currentTimeMillis());
    }
    database.handlers().put(NAME, new LocalDBClient(access, jobs()));
    // Reports a failure at the start.
    requests.listTables("local", "us-east-1", ListTablesRequest.builder().build());
    return database;
  }

  private static QuickDatabase quick(@Nullable Path folder) {
    return new QuickDatabase(folder == null ? null : folder.resolve(FILE).toFile());
  }

  /** The background jobs of the database, which the engine configures so. */
  private static JobsRegister jobs() {
    return new JobsRegister(Executors.newFixedThreadPool(10), false);
  }

  /**
   * Rejects a file that is not a database: the engine would wait without end instead of failing.
   */
  private static void rejectDamaged(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(SQLITE.length);
      if (head.length > 0 && !Arrays.equals(head, SQLITE)) {
        throw damaged(folder, null);
      }
    } catch (IOException e) {
      throw damaged(folder, e);
    }
  }

  /**
   * Makes the last record of the streams a new one. The engine deletes records of more than 30
   * hours when it opens a database, and numbers the next one after the last that is left. If none
   * were left, it would use numbers again that readers have behind them, and they would miss these
   * records.
   */
  private static void keepLastRecord(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return;
    }
    // The engine brings the library of SQLite, which is loaded with this class.
    SchemaCache.install();
    SQLiteConnection database = new SQLiteConnection(file.toFile());
    try {
      database.open(false);
      SQLiteStatement tables = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'us'");
      if (tables.step()) {
        database
            .prepare(
                "UPDATE us SET CreationDateTime = ?"
                    + " WHERE SequenceNumber = (SELECT MAX(SequenceNumber) FROM us)")
            .bind(1, System.currentTimeMillis())
            .stepThrough();
      }
    } catch (SQLiteException e) {
      throw isDamage(e) ? damaged(folder, e) : unwritable(folder, e);
    } finally {
      database.dispose();
    }
  }

  private static boolean isDamage(SQLiteException failure) {
    return failure.getErrorCode() == SQLiteConstants.SQLITE_CORRUPT
        || failure.getErrorCode() == SQLiteConstants.SQLITE_NOTADB;
  }

  private static DataFolderException unwritable(Path folder, SQLiteException cause) {
    return new DataFolderException(
        folder,
        "holds a " + FILE + " that cannot be written to",
        "Free some space if the disk is full, and stop other programs that use that file.",
        cause);
  }

  private static DataFolderException damaged(Path folder, @Nullable Exception cause) {
    return new DataFolderException(
        folder,
        "holds a " + FILE + " that is not a readable database",
        "Restore that file, or delete it to start empty.",
        cause);
  }

  Handler httpHandler() {
    return new EngineHandler(requests);
  }

  /** Returns clients that call this database without HTTP. */
  DirectCalls directCalls(Consumer<String> called) {
    return new DirectCalls(handlers().values().iterator().next(), called);
  }

  void rollShards() {
    handlers().values().forEach(AmazonDynamoDBLocal::triggerShardRollovers);
  }

  /** Returns the databases by name; the one here is shared by all credentials and regions. */
  @SuppressWarnings("unchecked")
  private Map<String, AmazonDynamoDBLocal> handlers() {
    return (Map<String, AmazonDynamoDBLocal>)
        EngineInternals.read(LocalDynamoDBRequestHandler.class, "dbRequestHandlers", requests);
  }

  @Override
  public void close() {
    requests.shutdown();
    if (lock != null) {
      lock.close();
    }
  }
}
