package social.feed.local;

import java.time.Duration;
import social.feed.streams.plan.Plan;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.suspicion.SuspicionRules;

/**
 * What the multiplexer of a platform does with a change.
 *
 * @param outgoing the sinks, which decide whether there are events
 * @param suspicion when follows look abnormal
 * @param suspicious counts the accounts whose follows do
 */
record LocalPlan(LocalEvents outgoing, SuspicionRules suspicion, SuspiciousAccounts suspicious) {
  private static final Duration NOTIFICATION_LIFETIME = Duration.ofDays(90);

  /** Returns that of a platform without sinks. */
  static LocalPlan withoutSinks() {
    return new LocalPlan(LocalEvents.none(), SuspicionRules.STANDARD, new SuspiciousAccounts());
  }

  /** Returns the effects of changes. */
  Plan effects() {
    return effects(TrendingTags.HALF_LIFE, suspicion).withEventsWhile(outgoing::areWanted);
  }

  /** Returns the effects of changes on a platform with this half-life of tags, without events. */
  static Plan effects(Duration trendHalfLife, SuspicionRules suspicion) {
    return new Plan(NOTIFICATION_LIFETIME, trendHalfLife).with(suspicion);
  }
}
