package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.GraphImport;
import social.feed.ctl.graph.ImportProgress;
import social.feed.ctl.graph.ImportResult;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.cost.CostInterceptor;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Row;
import social.feed.table.user.CelebrityRule;
import social.feed.verify.LaneWait;
import social.feed.verify.RepairLoop;
import social.feed.verify.RepairReport;
import social.feed.verify.Report;
import social.feed.verify.Verification;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A platform in memory, with direct access to its table. */
final class VerifyWorld implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Optional<CelebrityRule> rule;
  private final LocalPlatform platform;
  private final DynamoDbClient client;
  private final Table table;

  /** Starts a platform with the default threshold of celebrities. */
  VerifyWorld() {
    this(PlatformSettings.CELEBRITY_THRESHOLD);
  }

  VerifyWorld(long celebrityThreshold) {
    this.rule = Optional.of(new CelebrityRule(celebrityThreshold));
    this.platform =
        LocalPlatform.start(PlatformSettings.inMemory().withCelebritiesFrom(celebrityThreshold));
    // The engine in this process is called without HTTP, in a fraction of the time.
    this.client = platform.engine().directClient(new CostInterceptor());
    this.table = new Table(client, PlatformSettings.TABLE, Retry.standard());
  }

  Table table() {
    return table;
  }

  LocalPlatform platform() {
    return platform;
  }

  ImportResult load(Path folder, String graph, int posts, long cap) {
    try {
      var file = Files.writeString(folder.resolve("edges.txt"), graph);
      return new GraphImport(table, Clock.systemUTC(), silent())
          .run(new EdgeFile(file), this::drain, posts, cap);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Report verify() {
    return new Verification(table, rule).run(this::drain, _ -> {});
  }

  RepairReport fix() {
    return repairLoop(new LaneWait(table, PATIENCE, _ -> {})).run(this::drain, _ -> {}, _ -> {});
  }

  /** Returns a repair that learns from a function which fences were passed. */
  RepairLoop repairLoop(RepairLoop.Lanes lanes) {
    return new RepairLoop(table, Clock.systemUTC(), rule, TrendingTags.HALF_LIFE, lanes);
  }

  /** Holds the multiplexer for a minute, or until the stream is drained. */
  void hold() {
    var hold = platform.api().resolve("/v1/dev/hold?millis=60000");
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(hold).POST(BodyPublishers.noBody()).build();
      assertThat(http.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(204);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  void drain() {
    platform.drain(PATIENCE);
  }

  /** Returns the newest post of an account. */
  Post postOf(String userId) {
    var posts = new Posts(table);
    var ref = posts.ofAuthor(userId, PageRequest.first(1)).items().getFirst();
    return posts.get(ref.postId()).orElseThrow();
  }

  Row row(Key key) {
    return RowCodec.decode(table.get(key).orElseThrow());
  }

  Follow edge(String follower, String followee) {
    return (Follow) row(Follow.key(follower, followee));
  }

  void set(Key key, String attribute, AttributeValue value) {
    var item = new HashMap<>(table.get(key).orElseThrow());
    item.put(attribute, value);
    put(item);
  }

  void remove(Key key, String... attributes) {
    var item = new HashMap<>(table.get(key).orElseThrow());
    List.of(attributes).forEach(item::remove);
    put(item);
  }

  void put(Map<String, AttributeValue> item) {
    client.putItem(p -> p.tableName(PlatformSettings.TABLE).item(item));
  }

  /** Writes a row without effects: to the stream it is a change of an existing row. */
  void plant(Row row) {
    plant(RowCodec.encode(row));
  }

  /** Writes an item like {@link #plant(Row)}. */
  void plant(Map<String, AttributeValue> item) {
    put(withoutEffect(KeyAttributes.key(item)));
    put(item);
  }

  /** Deletes a row without effects. */
  void steal(Key key) {
    put(withoutEffect(key));
    client.deleteItem(d -> d.tableName(PlatformSettings.TABLE).key(KeyAttributes.of(key)));
  }

  private static Map<String, AttributeValue> withoutEffect(Key key) {
    var item = new HashMap<>(RowCodec.encode(new ProcessedEvent("unnoticed", 4_000_000_000L)));
    item.putAll(KeyAttributes.of(key));
    return item;
  }

  /** Returns all stored items. */
  Set<Map<String, AttributeValue>> items() {
    drain();
    var items = new ArrayList<Map<String, AttributeValue>>();
    client
        .scanPaginator(s -> s.tableName(PlatformSettings.TABLE))
        .forEach(page -> items.addAll(page.items()));
    return new HashSet<>(items);
  }

  /** Restores all items without effects. */
  void restore(Set<Map<String, AttributeValue>> before) {
    var now = items();
    now.stream()
        .filter(item -> !before.contains(item))
        .forEach(item -> steal(KeyAttributes.key(item)));
    before.stream().filter(item -> !now.contains(item)).forEach(this::plant);
    drain();
  }

  @Override
  public void close() {
    client.close();
    platform.close();
  }

  static ImportProgress silent() {
    return (_, _) ->
        new ImportProgress.Step() {
          @Override
          public void advance(long done) {}

          @Override
          public void close() {}
        };
  }
}
