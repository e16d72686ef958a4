package social.feed.engine.eventsource;

import java.util.Optional;

/**
 * Where a mapping is in a shard.
 *
 * @param lastSequenceNumber the last record handled; empty: none yet
 * @param lastError of this shard since the event source started
 * @param atTip the last look for records found none
 */
public record ShardStatus(
    String mapping,
    String shardId,
    Optional<String> lastSequenceNumber,
    Optional<String> lastError,
    boolean atTip) {}
