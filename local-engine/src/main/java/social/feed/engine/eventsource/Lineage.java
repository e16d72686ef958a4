package social.feed.engine.eventsource;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.Shard;

/** Selects the shards that may be read: parents are finished before children start. */
final class Lineage {

  private Lineage() {}

  /**
   * Returns the shards that are neither finished nor being read, and whose parent is finished. A
   * parent that the stream no longer lists is trimmed, and counts as finished.
   */
  static List<Shard> startable(List<Shard> listed, Set<String> finished, Set<String> running) {
    Set<String> unfinished =
        listed.stream()
            .map(Shard::shardId)
            .filter(id -> !finished.contains(id))
            .collect(Collectors.toSet());
    return listed.stream()
        .filter(shard -> unfinished.contains(shard.shardId()))
        .filter(shard -> !running.contains(shard.shardId()))
        .filter(
            shard -> shard.parentShardId() == null || !unfinished.contains(shard.parentShardId()))
        .toList();
  }
}
