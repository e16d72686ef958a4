package social.feed.engine.eventsource;

import java.util.Optional;

/**
 * The progress of a mapping in a shard.
 *
 * @param lastSequenceNumber sequence number of the last record handled; empty if there is none yet
 * @param lastError last error of this shard since the event source started
 * @param atTip whether the last poll returned no records
 */
public record ShardStatus(
    String mapping,
    String shardId,
    Optional<String> lastSequenceNumber,
    Optional<String> lastError,
    boolean atTip) {}
