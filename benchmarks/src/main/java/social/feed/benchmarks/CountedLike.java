package social.feed.benchmarks;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import social.feed.engine.eventsource.StreamTail;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/**
 * An event of a tumbling window with one like, as read from the stream. Each event names a new
 * shard, so every repetition is counted.
 */
final class CountedLike {
  private final Tailed like;
  private int sent;

  private CountedLike(Tailed like) {
    this.like = like;
  }

  /** Writes the like and reads it from the table's stream. */
  static CountedLike in(TestTable table) {
    var world = new SeedWorld(table.table(), table.clock());
    world.user("ben").likes(world.user("ann").posts("hello"));
    var described = table.client().describeTable(d -> d.tableName(table.table().name())).table();
    try (var streams = table.engine().newStreamsClient()) {
      return new CountedLike(new StreamTail(streams, described.latestStreamArn()).read().getLast());
    }
  }

  /** Returns the event in Lambda's own JSON. */
  String next() {
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(List.of(like.record()));
    event.setShardId(like.shardId() + "-" + ++sent);
    event.setState(Map.of());
    var json = new ByteArrayOutputStream();
    LambdaEventSerializers.serializerFor(
            DynamodbTimeWindowEvent.class, CountedLike.class.getClassLoader())
        .toJson(event, json);
    return json.toString(StandardCharsets.UTF_8);
  }
}
