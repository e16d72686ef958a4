package social.feed.testkit;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import social.feed.engine.LocalDynamoDb;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.CostInterceptor;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.testkit.cost.Bill;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * The declared table of one test or test class, with a log of its requests and a clock that tests
 * control. It has an embedded engine of its own unless {@link EngineChoice} selects another.
 */
public final class TestTable implements AutoCloseable {
  private static final AtomicInteger APART = new AtomicInteger();
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final TestEngine engine;
  private final RequestLog requests = new RequestLog();
  private final SteppingClock clock = new SteppingClock(START);
  private final AtomicInteger others = new AtomicInteger();
  private final DynamoDbClient client;

  /** Reads for bills; its requests are not in the log. */
  private final DynamoDbClient biller;

  private final Table table;
  private final boolean isOwn;

  private TestTable(TestEngine engine, String name, boolean isOwn) {
    this.engine = engine;
    this.isOwn = isOwn;
    this.client = newClient(requests);
    this.biller = newClient(new RequestLog());
    this.table = new Table(client, name, withoutDelay());
  }

  public static TestTable start() {
    var engine = EngineChoice.selected().open();
    return start(engine, engine.tableName());
  }

  /** Starts a table whose name no other has, so that several can have a bill at once. */
  public static TestTable startNamedApart() {
    var engine = EngineChoice.selected().open();
    return start(engine, engine.tableName() + "-apart-" + APART.incrementAndGet());
  }

  private static TestTable start(TestEngine engine, String name) {
    var started = new TestTable(engine, name, true);
    try {
      started.engine.make(started.client, started.table.name());
    } catch (RuntimeException e) {
      started.close();
      throw e;
    }
    started.requests.take();
    return started;
  }

  /** Returns an existing table on a shared engine; closing it removes neither. */
  public static TestTable attached(String name) {
    return new TestTable(EngineChoice.selected().open(), name, false);
  }

  /**
   * Returns the embedded engine.
   *
   * @throws IllegalStateException on another engine; tests that need it are marked {@link
   *     OnlyEmbedded}
   */
  public LocalDynamoDb engine() {
    if (engine instanceof TestEngine.Embedded(LocalDynamoDb local)) {
      return local;
    }
    throw new IllegalStateException(
        "The test needs the embedded engine and must be marked @OnlyEmbedded; the engine is at "
            + address().endpoint());
  }

  /** Returns the address of the engine. */
  public EngineAddress address() {
    return engine.address();
  }

  public URI endpoint() {
    return address().endpoint();
  }

  /** Returns the name of another table for a test that creates one; it is removed with this one. */
  public String otherName() {
    return table.name() + "-other-" + others.incrementAndGet();
  }

  /**
   * Returns another client of the same engine, which the caller must close. The embedded engine is
   * called without HTTP, which takes two thirds of the time of a test.
   */
  public DynamoDbClient newClient(ExecutionInterceptor... interceptors) {
    return switch (engine) {
      case TestEngine.Embedded(LocalDynamoDb local) -> local.directClient(metered(interceptors));
      case TestEngine.Shared _ -> newHttpClient(interceptors);
    };
  }

  private static ExecutionInterceptor[] metered(ExecutionInterceptor... own) {
    return Stream.concat(Stream.of(own), Stream.of(new CostInterceptor()))
        .toArray(ExecutionInterceptor[]::new);
  }

  /** Returns another client of the same engine that uses HTTP, which the caller must close. */
  public DynamoDbClient newHttpClient(ExecutionInterceptor... interceptors) {
    var builder =
        address()
            .direct(DynamoDbClient.builder())
            .httpClientBuilder(Apache5HttpClient.builder())
            .overrideConfiguration(o -> o.executionInterceptors(List.of(interceptors)));
    return Table.metered(builder).build();
  }

  /** Returns a client of the engine's streams, which the caller must close. */
  public DynamoDbStreamsClient newStreamsClient() {
    return switch (engine) {
      case TestEngine.Embedded(LocalDynamoDb local) -> local.directStreamsClient();
      case TestEngine.Shared _ ->
          address()
              .direct(DynamoDbStreamsClient.builder())
              .httpClientBuilder(Apache5HttpClient.builder())
              .build();
    };
  }

  public DynamoDbClient client() {
    return client;
  }

  public Table table() {
    return table;
  }

  public RequestLog requests() {
    return requests;
  }

  public SteppingClock clock() {
    return clock;
  }

  /**
   * Opens a bill: until it is closed, {@link #costOf} and the cost headers of the API report what
   * AWS bills, instead of the engine's figures.
   */
  public Bill bill() {
    return Bill.open(biller, table.name());
  }

  /** Returns the cost of calls on this thread. */
  public static ConsumedUnits costOf(Runnable calls) {
    var meter = new CostMeter();
    return meter.measure(
        () -> {
          calls.run();
          return meter.consumed();
        });
  }

  @Override
  public void close() {
    try {
      if (isOwn) {
        engine.remove(client, table.name());
      }
    } finally {
      client.close();
      biller.close();
      engine.close();
    }
  }

  private static Retry withoutDelay() {
    return new Retry(8, Duration.ZERO, Duration.ZERO, new Random(1), _ -> {});
  }
}
