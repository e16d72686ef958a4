package social.feed.engine.eventsource;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown when records are left, or calls still run, at the end of the time to drain. */
public final class DrainTimeoutException extends RuntimeException {

  DrainTimeoutException(Duration timeout, List<MappingStatus> mappings) {
    super(
        mappings.stream()
            .map(DrainTimeoutException::line)
            .collect(
                Collectors.joining(
                    "\n", "Not drained after " + timeout.toMillis() + " ms:\n", "")));
  }

  private static String line(MappingStatus mapping) {
    return "mapping %s, %s, %d handled, %d failed invocations, last error %s%s"
        .formatted(
            mapping.mapping(),
            mapping.idle() ? "idle" : "busy",
            mapping.recordsHandled(),
            mapping.failedInvocations(),
            mapping.lastError().orElse("none"),
            mapping.shards().stream()
                .map(DrainTimeoutException::line)
                .collect(Collectors.joining()));
  }

  private static String line(MappingStatus.Shard shard) {
    return "\n  shard %s %s, last handled %s, last error %s"
        .formatted(
            shard.shardId(),
            shard.atTip() ? "at its tip" : "has records",
            shard.lastSequenceNumber().orElse("none"),
            shard.lastError().orElse("none"));
  }
}
