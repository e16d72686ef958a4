package social.feed.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import social.feed.engine.eventsource.StreamTail.Tailed;

/**
 * Makes sequence numbers of different shards incomparable, as those of the service are: the numbers
 * of a child shard become lower than those of its parent. The engine takes its numbers from one
 * counter, which would hide comparisons across shards.
 */
final class ShardNumbers {
  private static final int HIGHEST = 9;
  private final List<String> shards = new ArrayList<>();

  Tailed withShardPrefix(Tailed tailed) {
    if (!shards.contains(tailed.shardId())) {
      shards.add(tailed.shardId());
    }
    var record = tailed.record().getDynamodb();
    int first = HIGHEST - shards.indexOf(tailed.shardId()) % HIGHEST;
    record.setSequenceNumber(first + record.getSequenceNumber());
    return tailed;
  }
}
