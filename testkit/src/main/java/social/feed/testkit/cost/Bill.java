package social.feed.testkit.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The calls of this JVM to one table while it is open, with the units that AWS bills for them. At
 * most one bill is open for the tables of a name, on whatever engines they are. While it is, the
 * consumed capacity of every response is that of the model too, so {@code TestTable.costOf} and the
 * cost headers of the API report billed units.
 *
 * <pre>{@code
 * try (var bill = Bill.open(table.client(), table.table().name())) {
 *   posts.get(id);
 *   assertThat(bill.take().units()).isEqualTo(new ConsumedUnits(1, 0));
 * }
 * }</pre>
 */
public final class Bill implements AutoCloseable {
  /** By the name of the table. */
  private static final Map<String, Bill> OPEN = new ConcurrentHashMap<>();

  /** Set while the model itself reads, which costs nothing. */
  private static final ThreadLocal<Boolean> IS_FREE = ThreadLocal.withInitial(() -> false);

  private final DynamoDbClient reader;
  private final String table;
  private final Billing billing = new Billing(FeedTable.DECLARATION);
  private final List<Call> calls = new ArrayList<>();

  /**
   * A call that reached the table.
   *
   * @param name the request, such as {@code Query}
   */
  public record Call(String name, ConsumedUnits units) {}

  /**
   * Some calls and their cost.
   *
   * @param calls the number of calls
   * @param units the billed units of all of them, of failed ones too
   */
  public record Total(long calls, ConsumedUnits units) {}

  private Bill(DynamoDbClient reader, String table) {
    this.reader = reader;
    this.table = table;
  }

  /**
   * Opens a bill.
   *
   * @param reader reads the items that the model needs and the responses lack; its reads for the
   *     model are not billed
   * @param table the name of the table
   * @throws IllegalStateException if another bill of a table of this name is open
   */
  public static Bill open(DynamoDbClient reader, String table) {
    var bill = new Bill(reader, table);
    if (OPEN.putIfAbsent(table, bill) != null) {
      throw new IllegalStateException("Another bill of " + table + " is open; close it first");
    }
    return bill;
  }

  /** Returns the open bill of a table, empty for a call of the model itself. */
  static Optional<Bill> current(String table) {
    return IS_FREE.get() ? Optional.empty() : Optional.ofNullable(OPEN.get(table));
  }

  /** Returns the total of the calls since the previous take. */
  public Total take() {
    var taken = takeCalls();
    var units = taken.stream().map(Call::units).reduce(ConsumedUnits.NONE, ConsumedUnits::plus);
    return new Total(taken.size(), units);
  }

  /** Returns the calls since the previous take, in the order of their ends. */
  public synchronized List<Call> takeCalls() {
    var taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  synchronized void add(Call call) {
    calls.add(call);
  }

  Billing billing() {
    return billing;
  }

  DynamoDbClient reader() {
    return reader;
  }

  /** Returns the result of reads that are not billed, and that no meter counts. */
  static <T> T free(Supplier<T> reads) {
    IS_FREE.set(true);
    try {
      return new CostMeter().measure(reads);
    } finally {
      IS_FREE.remove();
    }
  }

  /** Ends the bill. The responses have the engine's own figures again. */
  @Override
  public void close() {
    OPEN.remove(table, this);
  }
}
