package social.feed.engine.eventsource;

/** The identity of a shard, for one mapping. */
record ShardId(String streamArn, String mapping, String shardId) {}
