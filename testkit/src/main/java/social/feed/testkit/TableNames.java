package social.feed.testkit;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Names of tables on an engine that others use as well. All begin with one prefix. Nobody else has
 * the one that is made up for a run, so nothing but what was made under it is ever removed. What a
 * run that was killed has left behind is removed by another that is told its prefix.
 */
final class TableNames {
  /** Narrow, since everything that begins with a prefix is deleted. */
  private static final Pattern PREFIX = Pattern.compile("feed-test-[a-z0-9]{1,32}");

  private static final int LENGTH = 16;

  private final String prefix;
  private final boolean wasSaid;
  private final AtomicInteger last = new AtomicInteger();

  private TableNames(String prefix, boolean wasSaid) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "A prefix of tables is " + PREFIX.pattern() + ", not " + prefix);
    }
    this.prefix = prefix;
    this.wasSaid = wasSaid;
  }

  /** Under a prefix that no other run has. */
  static TableNames ofThisRun() {
    var random = UUID.randomUUID().toString().replace("-", "");
    return new TableNames("feed-test-" + random.substring(0, LENGTH), false);
  }

  /**
   * Under a prefix that somebody has said, for this run alone.
   *
   * @throws IllegalArgumentException for one that other tables may begin with
   */
  static TableNames under(String prefix) {
    return new TableNames(prefix, true);
  }

  String prefix() {
    return prefix;
  }

  /** Such as {@code feed-test-ada-12-}; no name is the beginning of another. */
  String next() {
    return prefix + "-" + last.incrementAndGet() + "-";
  }

  /** Removes what an earlier run left, where one may have had the same prefix. */
  void removeLeftovers(DynamoDbClient client) {
    if (wasSaid) {
      remove(client, prefix + "-");
    }
  }

  /** Removes all tables whose names begin so, and returns when they are gone. */
  static void remove(DynamoDbClient client, String beginning) {
    var tables =
        client.listTablesPaginator().tableNames().stream()
            .filter(name -> name.startsWith(beginning))
            .toList();
    tables.forEach(name -> delete(client, name));
    tables.forEach(name -> client.waiter().waitUntilTableNotExists(t -> t.tableName(name)));
  }

  /** One that is still being made cannot be deleted. */
  private static void delete(DynamoDbClient client, String table) {
    try {
      client.waiter().waitUntilTableExists(t -> t.tableName(table));
      client.deleteTable(t -> t.tableName(table));
    } catch (ResourceNotFoundException e) {
      // Gone meanwhile, which is what was wanted.
    }
  }
}
