package social.feed.testkit;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Table names on an engine that other processes also use. All names of a run start with one prefix.
 * A generated prefix is unique, so a run removes only its own tables. A later run with the same
 * prefix removes the tables of a run that was killed.
 */
final class TableNames {
  /** Strict, because every table with the prefix is deleted. */
  private static final Pattern PREFIX = Pattern.compile("feed-test-[a-z0-9]{1,32}");

  private static final int LENGTH = 16;

  private final String prefix;
  private final boolean isConfigured;
  private final AtomicInteger last = new AtomicInteger();

  private TableNames(String prefix, boolean isConfigured) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "A table prefix must match " + PREFIX.pattern() + ": " + prefix);
    }
    this.prefix = prefix;
    this.isConfigured = isConfigured;
  }

  /** Returns names with a generated, unique prefix. */
  static TableNames ofThisRun() {
    var random = UUID.randomUUID().toString().replace("-", "");
    return new TableNames("feed-test-" + random.substring(0, LENGTH), false);
  }

  /**
   * Returns names with a configured prefix.
   *
   * @throws IllegalArgumentException for a prefix that other tables may have
   */
  static TableNames under(String prefix) {
    return new TableNames(prefix, true);
  }

  String prefix() {
    return prefix;
  }

  /** Returns a new name such as {@code feed-test-ada-12-}; no name is a prefix of another. */
  String next() {
    return prefix + "-" + last.incrementAndGet() + "-";
  }

  /** Removes the tables of earlier runs, if the prefix was configured. */
  void removeLeftovers(DynamoDbClient client) {
    if (isConfigured) {
      remove(client, prefix + "-");
    }
  }

  /** Removes all tables whose names have a prefix, and waits for their deletion. */
  static void remove(DynamoDbClient client, String beginning) {
    var tables =
        client.listTablesPaginator().tableNames().stream()
            .filter(name -> name.startsWith(beginning))
            .toList();
    tables.forEach(name -> delete(client, name));
    tables.forEach(name -> client.waiter().waitUntilTableNotExists(t -> t.tableName(name)));
  }

  /**
   * Deletes a table. DynamoDB rejects the deletion of a table that is still being created, so it
   * waits first.
   */
  private static void delete(DynamoDbClient client, String table) {
    try {
      client.waiter().waitUntilTableExists(t -> t.tableName(table));
      client.deleteTable(t -> t.tableName(table));
    } catch (ResourceNotFoundException e) {
      // Already deleted.
    }
  }
}
