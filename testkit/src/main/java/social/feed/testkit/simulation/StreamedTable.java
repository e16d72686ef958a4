package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.dynamodb.DynamodbAttributeValueTransformer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.engine.DirectDynamoDb;
import social.feed.engine.eventsource.StreamTail;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.testkit.fault.Replica;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * The declared table on an engine without a server, with a copy that its stream feeds. The copy is
 * as old as the latest read of the stream, and reading it costs no read requests.
 *
 * <p>As a replica it offers each state that an item had within the last writes of the table. So an
 * eventually consistent read may also miss the record that a handler has just received. An index
 * still returns deleted items, but shows each item that a reader of the stream has received.
 */
public final class StreamedTable implements Replica, AutoCloseable {
  static final String NAME = "feed";

  /** The last writes that a stale read may miss. */
  private static final int BEHIND = 16;

  /** As many attempts as in production, without waiting. */
  private static final int ATTEMPTS = 8;

  /** The items of a page of the copy, so few that a history has several pages. */
  private static final int PAGE = 50;

  private static final Comparator<Key> BY_KEY =
      Comparator.comparing(Key::partition).thenComparing(Key::sort);

  private final DirectDynamoDb engine = DirectDynamoDb.start();
  private final Map<Key, Map<String, AttributeValue>> items = new LinkedHashMap<>();
  private final StreamTail tail;

  /** The records that no reader of the stream has received yet. */
  private final List<Tailed> unread = new ArrayList<>();

  /** The last writes, oldest first. */
  private final Deque<Write> last = new ArrayDeque<>();

  /** A write of an item, with its states before and after. */
  private record Write(
      Key key,
      Optional<Map<String, AttributeValue>> before,
      Optional<Map<String, AttributeValue>> after) {}

  private StreamedTable() {
    var client = engine.client();
    new TableProvisioning(client, FeedTable.DECLARATION.unprotected()).ensure(NAME);
    var arn = client.describeTable(d -> d.tableName(NAME)).table().latestStreamArn();
    this.tail = new StreamTail(engine.streams(), arn);
  }

  public static StreamedTable start() {
    return new StreamedTable();
  }

  /** Returns the table as seen through a wire. */
  public Table over(Wire wire) {
    return over(wire, new Retry(ATTEMPTS, Duration.ZERO, Duration.ZERO, new Random(1), _ -> {}));
  }

  Table over(Wire wire, Retry backoff) {
    return new Table(WiredClient.of(engine.client(), wire), NAME, backoff);
  }

  /**
   * Returns the table without faults, with scans that return the items of the copy: those of one
   * world, without the worlds before it on the same table.
   */
  Table scannedInCopy() {
    return over(
        new Wire() {
          @Override
          @SuppressWarnings("unchecked") // The response to a scan is a ScanResponse.
          public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
            return request instanceof ScanRequest scan ? (A) scanned(scan) : table.apply(request);
          }
        });
  }

  /** Returns the next page of the copy, in which the items of a partition follow each other. */
  private ScanResponse scanned(ScanRequest request) {
    var start = request.exclusiveStartKey();
    var after = start.isEmpty() ? new Key(Keys.FIRST, Keys.FIRST) : KeyAttributes.key(start);
    var rest =
        items.values().stream()
            .filter(item -> BY_KEY.compare(KeyAttributes.key(item), after) > 0)
            .sorted(Comparator.comparing(KeyAttributes::key, BY_KEY))
            .toList();
    var page = rest.subList(0, Math.min(PAGE, rest.size()));
    var response = ScanResponse.builder().items(page).count(page.size());
    if (page.size() < rest.size()) {
      response.lastEvaluatedKey(KeyAttributes.of(KeyAttributes.key(page.getLast())));
    }
    return response.build();
  }

  /** Returns a client of the engine itself. */
  DynamoDbClient client() {
    return engine.client();
  }

  /** Returns the new records of the stream and applies them to the copy. */
  public List<Tailed> read() {
    receive();
    var read = List.copyOf(unread);
    unread.clear();
    read.forEach(this::apply);
    return read;
  }

  /** Notes the writes that the stream has not shown to a reader yet. */
  private void receive() {
    for (var tailed : tail.read()) {
      unread.add(tailed);
      var change = tailed.record().getDynamodb();
      last.add(new Write(key(change), image(change.getOldImage()), image(change.getNewImage())));
      if (last.size() > BEHIND) {
        last.remove();
      }
    }
  }

  /** Makes all reads current, as after a while without writes. */
  public void catchUp() {
    receive();
    last.clear();
  }

  /** Closes the open shard of the stream. */
  public void rollShards() {
    engine.rollShards();
  }

  /** Returns all items of the copy. */
  public List<Map<String, AttributeValue>> items() {
    return new ArrayList<>(items.values());
  }

  /** Removes all items from the copy; the next world does not need them. */
  public void forget() {
    catchUp();
    items.clear();
  }

  @Override
  public Set<Key> changed() {
    receive();
    return last.stream().map(Write::key).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @Override
  public List<Optional<Map<String, AttributeValue>>> states(Key key) {
    var writes = last.stream().filter(write -> write.key.equals(key)).toList();
    return Stream.concat(Stream.of(writes.getFirst().before), writes.stream().map(Write::after))
        .toList();
  }

  @Override
  public Replica ofIndexes() {
    return new Replica() {
      @Override
      public Set<Key> changed() {
        return StreamedTable.this.changed();
      }

      @Override
      public List<Optional<Map<String, AttributeValue>>> states(Key key) {
        var all = StreamedTable.this.states(key);
        long hidden =
            unread.stream().filter(one -> key(one.record().getDynamodb()).equals(key)).count();
        return all.getLast().isEmpty()
            ? all
            : all.subList((int) Math.max(0, all.size() - 1 - hidden), all.size());
      }
    };
  }

  private void apply(Tailed tailed) {
    var change = tailed.record().getDynamodb();
    image(change.getNewImage())
        .ifPresentOrElse(item -> items.put(key(change), item), () -> items.remove(key(change)));
  }

  private static Key key(StreamRecord change) {
    return KeyAttributes.key(
        DynamodbAttributeValueTransformer.toAttributeValueMapV2(change.getKeys()));
  }

  private static Optional<Map<String, AttributeValue>> image(
      @Nullable
          Map<String, com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue>
          image) {
    return Optional.ofNullable(image).map(DynamodbAttributeValueTransformer::toAttributeValueMapV2);
  }

  @Override
  public void close() {
    engine.close();
  }
}
