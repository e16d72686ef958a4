package social.feed.local;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import social.feed.event.webhook.WebhookCalls;
import social.feed.event.webhook.WebhookSecret;
import social.feed.search.SearchIndex;
import social.feed.streams.event.EventContent;
import social.feed.streams.sink.ConfiguredSinks;
import social.feed.streams.sink.KafkaEvents;
import social.feed.streams.sink.KafkaTopic;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.RegisteredWebhooks;
import social.feed.streams.sink.SearchSink;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkLoop;
import social.feed.streams.sink.SqsSinkDeadLetters;
import social.feed.streams.sink.SqsSinkQueue;
import social.feed.streams.sink.WebhookLog;
import social.feed.streams.sink.WebhookPublisher;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.kernel.store.Table;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Publishes where a platform was started to publish, calls the webhooks of its table, and writes
 * its search index, for the messages of a queue.
 */
final class LocalSinks implements AutoCloseable {
  private static final String PREFIX = "webhook:";
  private static final int NAME = 8;

  private final SqsClient client;
  private final WebhookCalls calls;
  private final WebhookLog log;
  private final Optional<KafkaEvents> kafka;
  private final SinkLoop loop;

  private LocalSinks(
      SqsClient client,
      WebhookCalls calls,
      WebhookLog log,
      Optional<KafkaEvents> kafka,
      SinkLoop loop) {
    this.client = client;
    this.calls = calls;
    this.log = log;
    this.kafka = kafka;
    this.loop = loop;
  }

  /** Returns the webhooks of a table. */
  static RegisteredWebhooks registered(Table table) {
    return new RegisteredWebhooks(new Webhooks(table, Integer.MAX_VALUE));
  }

  /** Returns the sinks, whose names stay the same for an address. */
  static ConfiguredSinks configured(PlatformSettings settings) {
    return new ConfiguredSinks(names(settings), settings.privateEvents());
  }

  private static List<String> names(PlatformSettings settings) {
    return Stream.of(
            hasSearch(settings) ? Stream.of(SearchSink.NAME) : Stream.<String>of(),
            settings.webhooks().stream().map(LocalSinks::name).distinct(),
            settings.kafka().map(_ -> KafkaEvents.NAME).stream())
        .flatMap(Function.identity())
        .toList();
  }

  /** An index in a folder is open in one process, so it needs an API in this one. */
  static boolean hasSearch(PlatformSettings settings) {
    return settings.processes().apis() == 0 || settings.search().isPresent();
  }

  /** Returns the secret of each webhook. It survives a restart on the same data. */
  static Map<URI, WebhookSecret> secrets(List<URI> webhooks, Secrets secrets) {
    var all = new LinkedHashMap<URI, WebhookSecret>();
    webhooks.forEach(address -> all.put(address, secret(address, secrets)));
    return all;
  }

  /**
   * Starts to publish, also to webhooks inside the network, and to write the index.
   *
   * @param configured the sinks that the platform is started with
   * @param client closed with this object
   * @throws IllegalArgumentException for an address that cannot be called
   */
  static LocalSinks start(
      ConfiguredSinks configured,
      Map<URI, WebhookSecret> webhooks,
      Optional<SearchIndex> search,
      Optional<KafkaTopic> topic,
      Table table,
      SqsClient client,
      Queues urls) {
    var calls = new WebhookCalls(true, Clock.systemUTC());
    var publishers = new LinkedHashMap<String, Publisher>();
    search.ifPresent(index -> publishers.put(SearchSink.NAME, new SearchSink(index)));
    webhooks.forEach(
        (address, secret) ->
            publishers.put(name(address), configured.dropping(publisher(calls, address, secret))));
    var kafka = topic.map(KafkaEvents::new);
    kafka.ifPresent(events -> publishers.put(KafkaEvents.NAME, configured.dropping(events)));
    var log = new WebhookLog(new WebhookHistory(table, Clock.systemUTC()));
    var registered = registered(table);
    var outgoing = new LocalEvents(configured);
    outgoing.attach(registered);
    var queue = new SqsSinkQueue(client, urls.sinks().orElseThrow().toString());
    var deadLetters = new SqsSinkDeadLetters(client, urls.deadLetters().toString());
    var consumer =
        new SinkConsumer(
            sink ->
                Optional.ofNullable(publishers.get(sink))
                    .or(
                        () ->
                            registered.publisher(
                                sink,
                                webhook ->
                                    WebhookPublisher.of(
                                        calls, webhook, log::add, Clock.systemUTC()))),
            outgoing::wanting,
            new EventContent(table, Clock.systemUTC()),
            queue,
            deadLetters,
            Clock.systemUTC());
    return new LocalSinks(client, calls, log, kafka, SinkLoop.start(queue, consumer, deadLetters));
  }

  private static Publisher publisher(WebhookCalls calls, URI address, WebhookSecret secret) {
    calls.require(address);
    return new WebhookPublisher(calls, address, List.of(secret), (_, _) -> {});
  }

  private static String name(URI address) {
    return PREFIX + Sha256.hex(address.toString()).substring(0, NAME);
  }

  private static WebhookSecret secret(URI address, Secrets secrets) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(HexFormat.of().parseHex(secrets.cursor()), "HmacSHA256"));
      return WebhookSecret.of(mac.doFinal((PREFIX + address).getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("Every JVM has HMAC-SHA256", e);
    }
  }

  @Override
  public void close() throws IOException {
    loop.close();
    log.close();
    calls.close();
    kafka.ifPresent(KafkaEvents::close);
    client.close();
  }
}
