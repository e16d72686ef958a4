package social.feed.bounds;

import com.sun.net.httpserver.HttpServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpMethod;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.web.router.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.engine.LocalQueue;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.event.webhook.WebhookSecret;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;
import social.feed.streams.EffectHandlers;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Plan;
import social.feed.streams.sink.ConfiguredSinks;
import social.feed.streams.sink.EventBridgeEvents;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.KafkaEvents;
import social.feed.streams.sink.RegisteredWebhooks;
import social.feed.streams.sink.SearchSink;
import social.feed.streams.sink.SinkQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.CallDeadline;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaFolder;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Follow;
import social.feed.table.row.Mute;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.user.CelebrityRule;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A table with a population, the API and the handlers of the multiplexer in front of it. Nothing is
 * cached between requests, so each operation costs what it costs in a process that has just
 * started.
 */
final class MeasuredWorld implements AutoCloseable {
  static final Duration NOTIFICATIONS_LIVE = Duration.ofDays(90);
  static final Plan PLAN = new Plan(NOTIFICATIONS_LIVE);
  static final CelebrityRule RULE = new CelebrityRule(100_000);

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static final Map<String, Object> SETTINGS =
      Map.ofEntries(
          Map.entry("micronaut.server.port", -1),
          Map.entry("feed.dev-issuer.enabled", true),
          Map.entry("feed.dev-issuer.secret", "a-secret-of-the-tests-that-is-long-enough"),
          Map.entry("feed.cursor.secret", "another-secret-of-the-tests-long-enough"),
          Map.entry("feed.dynamodb.local", true),
          Map.entry("feed.limits.rate.per-second", 100_000),
          Map.entry("feed.limits.rate.burst", 100_000),
          Map.entry("feed.limits.deliveries.units-per-second", 1_000_000),
          Map.entry("feed.limits.deliveries.burst", 1_000_000),
          Map.entry("feed.limits.deliveries.units-per-post", 0),
          Map.entry("feed.limits.followed", 100_000),
          Map.entry("feed.limits.unfollow-after", "0s"),
          Map.entry("feed.ranking.cached", "0s"),
          Map.entry("feed.ranking.past-cached", "0s"),
          Map.entry("feed.recent-followers.cached", "0s"),
          Map.entry("feed.hot.cached", "0s"),
          Map.entry("feed.pull.registry-cached", "0s"),
          Map.entry("feed.pull.readers-remembered", 0),
          Map.entry("feed.export.exports", 20),
          Map.entry("feed.webhooks.enabled", true),
          Map.entry("feed.webhooks.allow-private", true),
          Map.entry("feed.webhooks.max", 1_000),
          Map.entry("feed.export.again-after", "0s"),
          // One poll when a stream opens, and no other before it is closed.
          Map.entry("feed.live.poll", "1m"),
          Map.entry("feed.live.idle-poll", "1m"));

  /** An account whose token has the scope of operators. */
  static final String OPERATOR = "operator";

  /** The sinks that a platform is started with, which get each type of event. */
  private static final ConfiguredSinks CONFIGURED =
      new ConfiguredSinks(
          List.of(SearchSink.NAME, EventBridgeEvents.NAME, KafkaEvents.NAME),
          Arrays.stream(EventType.values())
              .filter(type -> !type.isPublic())
              .collect(Collectors.toSet()));

  private static final int NO_CONTENT = 204;

  /** Two worlds are measured at once. */
  private final TestTable table = TestTable.startNamedApart();

  private final Path media = Path.of("target/media", table.table().name());
  private final Webhooks webhooks = new Webhooks(table.table(), Integer.MAX_VALUE);
  private final LocalQueue queues = LocalQueue.start();
  private int queuesCreated;
  private final AtomicLong messages = new AtomicLong();
  private final HttpServer receiver = startReceiver(messages);
  private final String knownWebhook;
  private RegisteredWebhooks registered = new RegisteredWebhooks(webhooks);
  private int webhooksCreated;
  private final SearchIndex search = emptyIndex();
  private final Population population;
  private final CallDeadline deadline = new CallDeadline(_ -> 0);
  private final DynamoDbClient laneClient = table.newClient(deadline);
  private final Table laneTable;
  private final EffectHandlers handlers;
  private final ApplicationContext api;
  private final EmbeddedServer server;
  private final Map<String, String> tokens = new HashMap<>();

  /** Parts of erasures wait for units, and the pace pays for them at once. */
  private static final ErasureSweeps.Settings SWEEPING =
      new ErasureSweeps.Settings(
          ErasureSweeps.MAX_PERIOD,
          Retention.ERASURE_REST,
          Double.POSITIVE_INFINITY,
          1e9,
          Long.MAX_VALUE);

  private MeasuredWorld(Map<Knob, Integer> sizes) {
    this.population = new Population(sizes, table.table(), search);
    this.laneTable = new Table(laneClient, table.table().name(), Retry.standard());
    this.handlers =
        new EffectHandlers(
            laneTable,
            Clock.systemUTC(),
            EffectSettings.of(Follow.NEWEST, BatchSizes.STANDARD, SWEEPING)
                .withMedia(new MediaFolder(media))
                .withOutbox(new EventOutbox(queue(), this::wanting, Clock.systemUTC())));
    population.load();
    refresh(search);
    this.knownWebhook = webhook(receiverUrl(), true, List.of());
    for (int i = 1; i < population.size(Knob.WEBHOOKS); i++) {
      webhook(receiverUrl(), true, List.of());
    }
    var settings = new HashMap<>(SETTINGS);
    settings.put("feed.media.folder", media.toString());
    settings.put("feed.dynamodb.endpoint", table.endpoint().toString());
    settings.put("feed.dynamodb.region", table.address().region());
    settings.put("feed.dynamodb.table", table.table().name());
    this.api =
        ApplicationContext.builder(settings, "bounds")
            .deduceEnvironment(false)
            .banner(false)
            .singletons(search)
            .start();
    this.server = api.getBean(EmbeddedServer.class).start();
  }

  private static SearchIndex emptyIndex() {
    try {
      return LuceneIndex.inMemory(InstantSource.system());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void refresh(SearchIndex index) {
    try {
      index.refresh();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a world in which every knob is small. */
  static MeasuredWorld small() {
    return new MeasuredWorld(Map.of());
  }

  /** Starts a world in which one knob is large and the others are small. */
  static MeasuredWorld withLarge(Knob knob) {
    return new MeasuredWorld(Map.of(knob, knob.large()));
  }

  Population population() {
    return population;
  }

  TestTable table() {
    return table;
  }

  /** Returns the server of the queues that commands read. */
  LocalQueue queues() {
    return queues;
  }

  /** Returns the URL of an empty queue. */
  String newQueue() {
    return queues.createQueue("queue" + ++queuesCreated).toString();
  }

  /** Returns the store of images. */
  MediaFolder media() {
    return new MediaFolder(media);
  }

  EffectHandlers handlers() {
    return handlers;
  }

  /** Returns the table as the lanes call it, until a deadline. */
  Table laneTable() {
    return laneTable;
  }

  /** Returns the deadline of the calls of the lanes; without a run no call is refused. */
  CallDeadline deadline() {
    return deadline;
  }

  /** Removes what earlier operations may have written between the subject and the target. */
  void reset() {
    table
        .table()
        .deleteAll(
            List.of(
                Follow.key(Population.SUBJECT, Population.TARGET),
                Follow.key(Population.TARGET, Population.SUBJECT),
                new SpecialFollower(Population.SUBJECT, Population.TARGET, population.now).key(),
                Block.key(Population.SUBJECT, Population.TARGET),
                BlockedBy.key(Population.TARGET, Population.SUBJECT),
                Mute.key(Population.SUBJECT, Population.TARGET),
                PulledAuthor.key(Population.SUBJECT)));
    population.reset();
    registered = new RegisteredWebhooks(webhooks);
  }

  // The sinks

  SearchIndex search() {
    return search;
  }

  /** The API, which lets commands compare the search index. */
  URI api() {
    return server.getURI();
  }

  Webhooks webhooks() {
    return webhooks;
  }

  /** The webhooks as sinks of a process that has not read them yet. */
  RegisteredWebhooks registered() {
    return registered;
  }

  WebhookHistory history() {
    return new WebhookHistory(table.table(), Clock.systemUTC());
  }

  /** Returns the names of all sinks that want an event. */
  List<String> wanting(DomainEvent event) {
    return Stream.concat(CONFIGURED.wanting(event).stream(), registered.wanting(event).stream())
        .toList();
  }

  /** Returns a queue of the sinks that only counts its messages. */
  SinkQueue queue() {
    return (some, _) -> sent(some.size());
  }

  /** Counts messages. */
  void sent(int number) {
    messages.addAndGet(number);
  }

  /** Returns as many calls of a webhook as the knob says, every other one without success. */
  List<WebhookDelivery> calls() {
    var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return IntStream.range(0, population.size(Knob.CALLS))
        .mapToObj(
            i ->
                new WebhookDelivery(
                    "evt_%032d".formatted(i),
                    EventType.POST_VISIBILITY_CHANGED.eventName(),
                    now.minusMillis(i),
                    i % 2 == 0,
                    i % 2 == 0 ? NO_CONTENT : null,
                    i % 2 == 0 ? null : "x".repeat(200),
                    1_000))
        .toList();
  }

  private static HttpServer startReceiver(AtomicLong calls) {
    try {
      var started =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      started.createContext(
          "/",
          exchange -> {
            calls.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(NO_CONTENT, -1);
            exchange.close();
          });
      started.start();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String receiverUrl() {
    return "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
  }

  /** Returns what some calls cost, those of other threads included. */
  Work cost(Runnable calls) {
    messages.set(0);
    try (var bill = table.bill()) {
      calls.run();
      return Work.of(bill.take(), messages.get());
    }
  }

  /** Returns the method and path of each route of the server. */
  Set<String> routes() {
    return api.getBean(Router.class)
        .uriRoutes()
        .filter(route -> route.getHttpMethod() != HttpMethod.HEAD)
        .map(
            route ->
                route.getHttpMethodName().toLowerCase(Locale.ROOT)
                    + " "
                    + route.getUriMatchTemplate().toPathString())
        .collect(Collectors.toSet());
  }

  /** Sends a request and returns its response. */
  HttpResponse<String> send(String caller, String method, String path, @Nullable String body) {
    return send(caller, method, path, body, BodyHandlers.ofString());
  }

  private <T> HttpResponse<T> send(
      String caller,
      String method,
      String path,
      @Nullable String body,
      HttpResponse.BodyHandler<T> handler) {
    var request =
        HttpRequest.newBuilder(server.getURI().resolve(path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!caller.isEmpty()) {
      request.header("Authorization", "Bearer " + token(caller));
    }
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    try {
      return HTTP.send(request.build(), handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens the live stream, reads its first line and closes it. */
  void openStream(String caller, Consumer<Integer> status) {
    var response = send(caller, "GET", "/v1/stream", null, BodyHandlers.ofInputStream());
    status.accept(response.statusCode());
    try (var body = response.body()) {
      int _ = body.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a webhook that gets no events and was called, and returns its id. */
  String webhook(String url) {
    return webhook(url, false, calls());
  }

  /** Returns the id of a webhook that gets all events. */
  String knownWebhook() {
    return knownWebhook;
  }

  private String webhook(String url, boolean isEnabled, List<WebhookDelivery> calls) {
    var at = table.clock().instant();
    var id = TimeOrderedId.named(at, "webhook" + ++webhooksCreated);
    webhooks.create(
        Webhook.of(id, url, List.of(), null, isEnabled, WebhookSecret.random().text(), at));
    if (!calls.isEmpty()) {
      history().add(id, calls);
    }
    return id;
  }

  /** Returns the token of an account; obtained before anything is measured. */
  String token(String userId) {
    return tokens.computeIfAbsent(
        userId,
        id -> {
          var scopes = id.equals(OPERATOR) ? "\"feed:operate\"" : "";
          var response =
              send(
                  "",
                  "POST",
                  "/v1/dev/tokens",
                  "{\"user_id\":\"%s\",\"scopes\":[%s]}".formatted(id, scopes));
          return response.body().split("\"", -1)[3];
        });
  }

  @Override
  public void close() {
    api.close();
    receiver.stop(0);
    queues.close();
    laneClient.close();
    table.close();
  }
}
