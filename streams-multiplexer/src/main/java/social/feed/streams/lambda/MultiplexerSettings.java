package social.feed.streams.lambda;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Follow;
import social.feed.table.suspicion.SuspicionRules;

/**
 * The settings of the multiplexer, from {@code feed.multiplexer.*} or {@code FEED_MULTIPLEXER_*}.
 *
 * @param table name of the table
 * @param deadLetterQueueUrl queue for records that can never be applied
 * @param eventQueueUrl queue for changes of the celebrity flag
 * @param backfillNewest how many of an author's posts a new follower gets, 1 to 50
 * @param celebrityThreshold number of followers from which on an author's posts are pulled
 * @param notificationsLive how long a notification is kept
 * @param trendHalfLife the time in which a use of a tag loses half its weight, in whole hours;
 *     equal to {@code feed.ranking.half-life} of the API
 * @param erasureRemovalUnits request units a second that the removals of all erasures together may
 *     use on average before the sweep, with what they cause behind the stream
 * @param erasureSweepEvery time from the beginning of one sweep of the table for erasures to the
 *     next; an erasure takes two or three sweeps
 * @param erasureSweepUnits read units a second that a sweep may use on average
 * @param suspiciousFollows follows of an account in a UTC day that are a burst
 * @param suspiciousUnfollows unfollows of an account in a UTC day that are churn, if it also
 *     follows as many accounts on that day
 * @param suspiciousBlocks follows of an account that blocks answer in a UTC day and that are many
 * @param suspiciousBlockShare the share of the day's follows, in percent, that blocks must answer
 * @param suspiciousSameOrder how many new accounts that follow the same accounts in the same order
 *     are suspicious
 * @param suspiciousNewFor how long an account is new after its registration
 * @param suspiciousScore the score from which on an account is listed as suspicious
 */
@Requires(property = "feed.multiplexer.dead-letter-queue-url")
@ConfigurationProperties("feed.multiplexer")
public record MultiplexerSettings(
    @Bindable(defaultValue = "feed") String table,
    String deadLetterQueueUrl,
    String eventQueueUrl,
    @Bindable(defaultValue = "" + Follow.NEWEST) int backfillNewest,
    @Bindable(defaultValue = "100000") long celebrityThreshold,
    @Bindable(defaultValue = "90d") Duration notificationsLive,
    @Bindable(defaultValue = "6h") Duration trendHalfLife,
    @Bindable(defaultValue = "2000") int erasureRemovalUnits,
    @Bindable(defaultValue = "7d") Duration erasureSweepEvery,
    @Bindable(defaultValue = "500") int erasureSweepUnits,
    @Bindable(defaultValue = "200") long suspiciousFollows,
    @Bindable(defaultValue = "100") long suspiciousUnfollows,
    @Bindable(defaultValue = "10") long suspiciousBlocks,
    @Bindable(defaultValue = "10") int suspiciousBlockShare,
    @Bindable(defaultValue = "5") int suspiciousSameOrder,
    @Bindable(defaultValue = "7d") Duration suspiciousNewFor,
    @Bindable(defaultValue = "50") long suspiciousScore) {

  private static final int PAGE = 50;

  public MultiplexerSettings {
    if (backfillNewest < 1 || backfillNewest > PAGE) {
      throw new IllegalArgumentException(
          "Set feed.multiplexer.backfill-newest to 1 to 50, not " + backfillNewest);
    }
    if (notificationsLive.compareTo(Notifications.LEAST_KEPT) <= 0) {
      throw new IllegalArgumentException(
          "Set feed.multiplexer.notifications-live to more than %s, not %s: none would be written"
              .formatted(Notifications.LEAST_KEPT, notificationsLive));
    }
    if (erasureSweepEvery.isNegative()
        || erasureSweepEvery.compareTo(ErasureSweeps.MAX_PERIOD) > 0) {
      throw new IllegalArgumentException(
          ("Set feed.multiplexer.erasure-sweep-every to 0 to %s, not %s:"
                  + " an erasure must end within a month")
              .formatted(ErasureSweeps.MAX_PERIOD, erasureSweepEvery));
    }
    if (erasureSweepUnits < 1) {
      throw new IllegalArgumentException(
          "Set feed.multiplexer.erasure-sweep-units to at least 1, not " + erasureSweepUnits);
    }
    if (erasureRemovalUnits < 1) {
      throw new IllegalArgumentException(
          "Set feed.multiplexer.erasure-removal-units to at least 1, not " + erasureRemovalUnits);
    }
    // Refuses thresholds that are out of range.
    var _ =
        new SuspicionRules(
            suspiciousFollows,
            suspiciousUnfollows,
            suspiciousBlocks,
            suspiciousBlockShare,
            suspiciousSameOrder,
            suspiciousNewFor,
            suspiciousScore);
  }

  /** Returns when follows look abnormal. */
  SuspicionRules suspicion() {
    return new SuspicionRules(
        suspiciousFollows,
        suspiciousUnfollows,
        suspiciousBlocks,
        suspiciousBlockShare,
        suspiciousSameOrder,
        suspiciousNewFor,
        suspiciousScore);
  }

  /** Returns when sweeps for erasures run, and how fast erasures proceed. */
  ErasureSweeps.Settings sweeping() {
    return new ErasureSweeps.Settings(
        erasureSweepEvery,
        Retention.ERASURE_REST,
        erasureSweepUnits,
        erasureRemovalUnits,
        celebrityThreshold);
  }
}
