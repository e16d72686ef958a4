package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Reads a stream from its beginning on the caller's thread, as Lambda records. For drivers that
 * control when and how records are delivered.
 */
public final class StreamTail {
  private final DynamoDbStreamsClient streams;
  private final String streamArn;
  private final LambdaRecords converter;
  private final Map<String, ShardReader> readers = new LinkedHashMap<>();

  /** A record and its shard. */
  public record Tailed(String shardId, DynamodbStreamRecord record) {}

  public StreamTail(DynamoDbStreamsClient streams, String streamArn) {
    this.streams = streams;
    this.streamArn = streamArn;
    this.converter = new LambdaRecords(streamArn);
  }

  /** Returns the records that were written since the last call, parents before children. */
  public List<Tailed> read() {
    var read = new ArrayList<Tailed>(readKnown());
    if (readers.values().stream().allMatch(ShardReader::hasEnded)) {
      discover();
      read.addAll(readKnown());
    }
    return read;
  }

  private List<Tailed> readKnown() {
    var read = new ArrayList<Tailed>();
    readers.forEach((shard, reader) -> drain(shard, reader, read));
    return read;
  }

  private void drain(String shardId, ShardReader reader, List<Tailed> into) {
    while (!reader.hasEnded()) {
      var page = reader.read();
      if (page.isEmpty()) {
        return;
      }
      page.forEach(record -> into.add(new Tailed(shardId, converter.toLambda(record))));
    }
  }

  /**
   * Adds the shards that are new. The engine has one open shard at a time, and lists a parent
   * before its child.
   */
  private void discover() {
    @Nullable String last = null;
    do {
      String after = last;
      var page =
          streams
              .describeStream(d -> d.streamArn(streamArn).exclusiveStartShardId(after))
              .streamDescription();
      for (Shard shard : page.shards()) {
        readers.computeIfAbsent(
            shard.shardId(), id -> new ShardReader(streams, streamArn, id, null));
      }
      last = page.lastEvaluatedShardId();
    } while (last != null);
  }
}
