package social.feed.engine.eventsource;

import java.util.List;
import java.util.Optional;

/**
 * The counters of a mapping since its event source started, and its present state.
 *
 * @param recordsHandled records that the function handled, counted each time they were handled
 * @param recordsGivenUp records that were sent to the on-failure destination
 * @param failedInvocations calls that threw, returned an invalid response or reported failures
 * @param idle whether no call runs and the last poll of each open shard returned nothing
 * @param shards status of each open shard
 */
public record MappingStatus(
    String mapping,
    long recordsHandled,
    long recordsGivenUp,
    long failedInvocations,
    Optional<String> lastError,
    boolean idle,
    List<Shard> shards) {

  /**
   * The progress of a mapping in a shard.
   *
   * @param lastSequenceNumber sequence number of the last record handled; empty if there is none
   *     yet
   * @param lastError last error of this shard since the event source started
   * @param atTip whether the last poll returned no records
   */
  public record Shard(
      String shardId,
      Optional<String> lastSequenceNumber,
      Optional<String> lastError,
      boolean atTip) {}
}
