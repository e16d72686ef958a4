package social.feed.engine.eventsource;

import java.util.List;
import java.util.Optional;

/**
 * What a mapping did since its event source started, and what it is at.
 *
 * @param recordsHandled by the function, those delivered again counted once each time handled
 * @param recordsGivenUp sent to the on-failure destination
 * @param failedInvocations thrown, invalid or with reported failures
 * @param idle no call runs and the last look into each open shard found nothing
 * @param shards the open ones
 */
public record MappingStatus(
    String mapping,
    long recordsHandled,
    long recordsGivenUp,
    long failedInvocations,
    Optional<String> lastError,
    boolean idle,
    List<ShardStatus> shards) {}
