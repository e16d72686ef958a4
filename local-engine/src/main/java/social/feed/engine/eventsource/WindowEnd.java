package social.feed.engine.eventsource;

/** Whether a call ends its tumbling window. */
enum WindowEnd {
  NOT_YET,
  /** Its time or its shard is over. */
  ON_TIME,
  /** Its state grew over a megabyte. */
  EARLY
}
