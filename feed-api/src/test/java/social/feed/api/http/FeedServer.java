package social.feed.api.http;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.Wire;

/** A server on a free port, with its own table. */
public final class FeedServer implements AutoCloseable {
  private final TestTable table;
  private final EmbeddedServer server;
  private final Object[] beans;

  /** The server uses the real time, so the clock of its worlds starts in the past. */
  private final SteppingClock clock = new SteppingClock(Instant.now().minus(Duration.ofDays(10)));

  private FeedServer(TestTable table, Map<String, Object> settings, Wire wire, Object... beans) {
    this.table = table;
    this.server = run(table, settings, wire, beans);
    this.beans = beans;
  }

  static FeedServer start() {
    return start(Map.of());
  }

  /** Starts a server with other settings; the caller closes it. */
  public static FeedServer start(Map<String, Object> settings) {
    return start(settings, Wire.SOUND);
  }

  /** Starts a server with a wire between it and its table. */
  public static FeedServer start(Map<String, Object> settings, Wire wire) {
    return new FeedServer(TestTable.start(), settings, wire);
  }

  /** Starts a server on a table whose name no other has. */
  public static FeedServer startApart(Map<String, Object> settings) {
    return new FeedServer(TestTable.startNamedApart(), settings, Wire.SOUND);
  }

  /** Starts a server with beans of the test, which other servers on its table share. */
  public static FeedServer startWith(Map<String, Object> settings, Object... beans) {
    return new FeedServer(TestTable.start(), settings, Wire.SOUND, beans);
  }

  /**
   * Starts another server on the same table; it stops with its context, as on the local platform.
   */
  public FeedServer another(Map<String, Object> settings) {
    return another(settings, Wire.SOUND);
  }

  /** As {@link #another(Map)}, with a wire between the server and the table. */
  public FeedServer another(Map<String, Object> settings, Wire wire) {
    return new FeedServer(table, settings, wire, beans);
  }

  private static EmbeddedServer run(
      TestTable table, Map<String, Object> settings, Wire wire, Object... beans) {
    var address = table.address();
    Map<String, Object> all = new HashMap<>(settings);
    all.put("feed.dynamodb.endpoint", address.endpoint().toString());
    all.put("feed.dynamodb.local", !address.isAws());
    if (!address.isAws() && !settings.containsKey("feed.media.bucket")) {
      all.putIfAbsent("feed.media.folder", "target/media");
      all.putIfAbsent("feed.webhooks.enabled", true);
    }
    all.put("feed.dynamodb.region", address.region());
    all.put("feed.dynamodb.table", table.table().name());
    return ApplicationContext.builder(all, "test")
        .singletons(table, wire)
        .singletons(beans)
        .run(EmbeddedServer.class);
  }

  /** Stops the server gracefully; the table stays. */
  public void stop() {
    server.getApplicationContext().close();
  }

  /** Returns a bean of the server. */
  public <T> T bean(Class<T> type) {
    return server.getApplicationContext().getBean(type);
  }

  public URI uri() {
    return server.getURI();
  }

  public TestTable table() {
    return table;
  }

  /** Returns a world with unique names in this server's table. */
  public SeedWorld world() {
    return new SeedWorld(table.table(), clock);
  }

  /** The clock of the worlds. */
  public SteppingClock clock() {
    return clock;
  }

  public Api anonymous() {
    return Api.anonymous(uri());
  }

  /** A token of the development issuer. */
  public String tokenOf(Person person) {
    return anonymous().tokenOf(person.id());
  }

  /** Returns a client with a token, for a registered or unregistered user. */
  public Api as(String userId) {
    return anonymous().as(userId);
  }

  public Api as(Person person) {
    return as(person.id());
  }

  /** Returns a client whose token has the scope of operators. */
  public Api asOperator(Person person) {
    return anonymous().asOperator(person.id());
  }

  @Override
  public void close() {
    server.close();
    table.close();
  }
}
