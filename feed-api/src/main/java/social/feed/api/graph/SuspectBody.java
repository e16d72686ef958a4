package social.feed.api.graph;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;

/**
 * An account whose follows look abnormal.
 *
 * @param score the sum of the points of its reasons
 * @param reasons what was found since the last dismissal
 * @param since the first UTC day of the reasons
 * @param latest the last UTC day of the reasons
 * @param slowedUntil until when it may follow and unfollow few accounts; absent while it is not
 *     slowed down
 */
@Serdeable
@Schema(name = "SuspiciousAccount")
record SuspectBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String userId,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long score,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<Reason> reasons,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant since,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant latest,
    @Nullable Instant slowedUntil) {

  /**
   * A reason with the number that shows it.
   *
   * @param reason such as `follow_burst`
   * @param value what was counted
   * @param threshold the number from which on it is a reason
   * @param points what it adds to the score
   */
  @Serdeable
  @Schema(name = "SuspicionReason")
  record Reason(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String reason,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long value,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long threshold,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long points) {
    static Reason of(SuspicionFinding finding) {
      return new Reason(
          finding.reason().name().toLowerCase(Locale.ROOT),
          finding.value(),
          finding.threshold(),
          finding.points());
    }
  }

  static SuspectBody of(Suspect suspect, FollowQuota quota, Instant now) {
    return new SuspectBody(
        suspect.userId(),
        suspect.score(),
        suspect.findings().stream().map(Reason::of).toList(),
        suspect.since(),
        suspect.latest(),
        quota.isSlowedAt(now) ? quota.slowedUntil() : null);
  }
}
