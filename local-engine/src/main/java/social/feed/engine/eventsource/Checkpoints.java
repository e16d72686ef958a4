package social.feed.engine.eventsource;

import java.nio.file.Path;
import java.util.Map;

/** Where mappings keep their checkpoints. Used by many threads. */
public interface Checkpoints {

  /** The checkpoints of a mapping by shard; those of other streams are not among them. */
  Map<String, Checkpoint> of(String streamArn, String mapping);

  /** Replaces the checkpoint of a shard. When this returns, a restart will find it. */
  void save(String streamArn, String mapping, String shardId, Checkpoint checkpoint);

  /** Forgets all checkpoints of a mapping: it starts at the trim horizon again. */
  void forget(String streamArn, String mapping);

  /** Lost with the process. */
  static Checkpoints inMemory() {
    return new InMemoryCheckpoints();
  }

  /**
   * In one JSON file, rewritten and synced at each save (a few milliseconds), so that a hard kill
   * leaves either the old or the new one.
   *
   * @throws CheckpointsUnreadableException the file is there and cannot be read
   */
  static Checkpoints inFile(Path file) {
    return new FileCheckpoints(file);
  }
}
