package social.feed.engine.eventsource;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.Shard;

/** Selects the shards that may be read: parents are finished before children start. */
final class Lineage {

  private Lineage() {}

  /**
   * Returns the shards that are neither finished nor being read, and whose parent is finished. A
   * parent that the stream no longer lists is trimmed, and counts as finished.
   */
  static List<Shard> startable(
      List<Shard> listed, Map<String, Checkpoint> checkpoints, Set<String> running) {
    Set<String> finished = finished(listed, checkpoints);
    Set<String> unfinished = new HashSet<>();
    for (Shard shard : listed) {
      if (!finished.contains(shard.shardId())) {
        unfinished.add(shard.shardId());
      }
    }
    return listed.stream()
        .filter(shard -> unfinished.contains(shard.shardId()))
        .filter(shard -> !running.contains(shard.shardId()))
        .filter(
            shard -> shard.parentShardId() == null || !unfinished.contains(shard.parentShardId()))
        .toList();
  }

  /** Those whose checkpoint says so, and the ancestors of all that have a checkpoint. */
  private static Set<String> finished(List<Shard> listed, Map<String, Checkpoint> checkpoints) {
    Map<String, @Nullable String> parents = new HashMap<>();
    listed.forEach(shard -> parents.put(shard.shardId(), shard.parentShardId()));
    Set<String> finished = new HashSet<>();
    checkpoints.forEach(
        (shard, checkpoint) -> {
          if (checkpoint.finished()) {
            finished.add(shard);
          }
          @Nullable String ancestor = parents.get(shard);
          while (ancestor != null && finished.add(ancestor)) {
            ancestor = parents.get(ancestor);
          }
        });
    return finished;
  }

  /**
   * Returns the listed shards whose checkpoints are still needed. A child with a checkpoint has
   * started, so it shows that its parent is finished. DynamoDB Local lists every shard that there
   * was.
   */
  static Set<String> needed(List<Shard> listed, Map<String, Checkpoint> checkpoints) {
    Set<String> needed = new HashSet<>();
    listed.forEach(shard -> needed.add(shard.shardId()));
    listed.stream()
        .filter(shard -> checkpoints.containsKey(shard.shardId()))
        .forEach(shard -> needed.remove(shard.parentShardId()));
    return needed;
  }
}
