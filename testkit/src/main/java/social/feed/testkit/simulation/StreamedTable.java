package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.transformers.v2.dynamodb.DynamodbAttributeValueTransformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import social.feed.engine.DirectDynamoDb;
import social.feed.engine.eventsource.StreamTail;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.testkit.fault.Replica;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The declared table on an engine without a server, with a replica that its stream feeds. The
 * replica is as old as the latest read of the stream, and reading it costs no read requests.
 */
public final class StreamedTable implements Replica, AutoCloseable {
  private static final String NAME = "feed";

  /** As many attempts as in production, without waiting. */
  private static final int ATTEMPTS = 8;

  private final DirectDynamoDb engine = DirectDynamoDb.start();
  private final Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items =
      new LinkedHashMap<>();
  private final StreamTail tail;

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
    var backoff = new Retry(ATTEMPTS, Duration.ZERO, Duration.ZERO, new Random(1), _ -> {});
    return new Table(new WiredClient(engine.client(), wire), NAME, backoff);
  }

  /** Returns the new records of the stream and applies them to the replica. */
  public List<Tailed> read() {
    var read = tail.read();
    read.forEach(this::note);
    return read;
  }

  /** Closes the open shard of the stream. */
  public void rollShards() {
    engine.rollShards();
  }

  /** Returns all items of the replica. */
  public List<Map<String, AttributeValue>> items() {
    return new ArrayList<>(items.values());
  }

  /** Removes all items from the replica; the next world does not need them. */
  public void forget() {
    items.clear();
  }

  @Override
  public Optional<Map<String, AttributeValue>> at(Map<String, AttributeValue> key) {
    return Optional.ofNullable(items.get(key));
  }

  private void note(Tailed tailed) {
    var change = tailed.record().getDynamodb();
    var key = DynamodbAttributeValueTransformer.toAttributeValueMapV2(change.getKeys());
    if (change.getNewImage() == null) {
      items.remove(key);
    } else {
      items.put(key, DynamodbAttributeValueTransformer.toAttributeValueMapV2(change.getNewImage()));
    }
  }

  @Override
  public void close() {
    engine.close();
  }
}
