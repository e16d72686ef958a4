package social.feed.testkit.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The calls to DynamoDB of this JVM while it is open, with the units that AWS bills for them. At
 * most one bill is open. While it is, the consumed capacity of every response is that of the model
 * too, so {@code TestTable.costOf} and the cost headers of the API report billed units.
 *
 * <pre>{@code
 * try (var bill = Bill.open(table.client())) {
 *   posts.get(id);
 *   assertThat(bill.take().units()).isEqualTo(new ConsumedUnits(1, 0));
 * }
 * }</pre>
 */
public final class Bill implements AutoCloseable {
  private static final AtomicReference<Optional<Bill>> OPEN =
      new AtomicReference<>(Optional.empty());

  /** Set while the model itself reads, which costs nothing. */
  private static final ThreadLocal<Boolean> IS_FREE = ThreadLocal.withInitial(() -> false);

  private final DynamoDbClient reader;
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

  private Bill(DynamoDbClient reader) {
    this.reader = reader;
  }

  /**
   * Opens a bill.
   *
   * @param reader reads the items that the model needs and the responses lack; its reads for the
   *     model are not billed
   * @throws IllegalStateException if another bill is open
   */
  public static Bill open(DynamoDbClient reader) {
    var bill = new Bill(reader);
    OPEN.updateAndGet(
        open -> {
          if (open.isPresent()) {
            throw new IllegalStateException("Another bill is open; close it first");
          }
          return Optional.of(bill);
        });
    return bill;
  }

  /** Returns the open bill, empty for a call of the model itself. */
  static Optional<Bill> current() {
    return IS_FREE.get() ? Optional.empty() : Objects.requireNonNull(OPEN.get());
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
    OPEN.set(Optional.empty());
  }
}
