package social.feed.engine.eventsource;

/** One shard as one mapping sees it. */
record ShardId(String streamArn, String mapping, String shardId) {}
