package social.feed.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import social.feed.engine.eventsource.StreamTail.Tailed;

/**
 * Makes sequence numbers of different shards incomparable, as the service's are: those of a child
 * are lower than its parent's. The engine's come from one counter, so that comparing them would do
 * no harm here.
 */
final class ShardNumbers {
  private static final int HIGHEST = 9;
  private final List<String> shards = new ArrayList<>();

  Tailed ofItsShard(Tailed tailed) {
    if (!shards.contains(tailed.shardId())) {
      shards.add(tailed.shardId());
    }
    var record = tailed.record().getDynamodb();
    int first = HIGHEST - shards.indexOf(tailed.shardId()) % HIGHEST;
    record.setSequenceNumber(first + record.getSequenceNumber());
    return tailed;
  }
}
