package social.feed.engine.eventsource;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/** Stores the checkpoints of mappings. Implementations are thread-safe. */
public interface Checkpoints {

  /** Returns the checkpoints of a mapping for this stream, by shard. */
  Map<String, Checkpoint> of(String streamArn, String mapping);

  /** Replaces the checkpoint of a shard. A restart after this method returns reads it. */
  void save(String streamArn, String mapping, String shardId, Checkpoint checkpoint);

  /** Deletes all checkpoints of a mapping, which then starts at the trim horizon again. */
  void forget(String streamArn, String mapping);

  /** Deletes the checkpoints of a mapping for all other shards of this stream. */
  void keepOnly(String streamArn, String mapping, Set<String> shardIds);

  /** Returns checkpoints in memory, which are lost with the process. */
  static Checkpoints inMemory() {
    return new InMemoryCheckpoints();
  }

  /**
   * Returns checkpoints in one JSON file. Each save rewrites and syncs it, which takes a few
   * milliseconds. A hard kill leaves either the old or the new content.
   *
   * @throws CheckpointsUnreadableException if the file exists and cannot be read
   */
  static Checkpoints inFile(Path file) {
    return new FileCheckpoints(file);
  }
}
