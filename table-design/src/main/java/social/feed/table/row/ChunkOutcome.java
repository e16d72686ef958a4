package social.feed.table.row;

/** How a part of a delivery ended. */
public enum ChunkOutcome {
  DELIVERED,
  /** It can never succeed as it is; a dead letter tells why. */
  FAILED
}
