package social.feed.table.row;

/** The outcome of a fan-out chunk. */
public enum ChunkOutcome {
  DELIVERED,
  /** The chunk can never succeed as it is; a dead letter holds the reason. */
  FAILED
}
