package social.feed.testkit;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Names of tables on an engine that others use as well. All begin with one prefix, which belongs to
 * whoever runs the tests: what a run that was killed has left behind is removed by the next one of
 * the same prefix, so two at a time need two.
 */
final class TableNames {
  /** Narrow, since everything that begins with a prefix is deleted. */
  private static final Pattern PREFIX = Pattern.compile("feed-test-[a-z0-9]{1,32}");

  private final String prefix;
  private final AtomicInteger last = new AtomicInteger();

  TableNames(String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "A prefix of tables is " + PREFIX.pattern() + ", not " + prefix);
    }
    this.prefix = prefix;
  }

  /** Such as {@code feed-test-ada-12-}; no name is the beginning of another. */
  String next() {
    return prefix + "-" + last.incrementAndGet() + "-";
  }

  /** Removes what an earlier run left. */
  void removeLeftovers(DynamoDbClient client) {
    remove(client, prefix + "-");
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
