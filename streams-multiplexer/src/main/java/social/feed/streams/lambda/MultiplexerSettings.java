package social.feed.streams.lambda;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.Follow;

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
 * @param erasureSweepEvery time from the beginning of one sweep of the table for erasures to the
 *     next; an erasure takes two or three sweeps
 * @param erasureSweepUnits read units a second that a sweep may use on average
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
    @Bindable(defaultValue = "7d") Duration erasureSweepEvery,
    @Bindable(defaultValue = "500") int erasureSweepUnits) {

  private static final int PAGE = 50;

  public MultiplexerSettings {
    if (backfillNewest < 1 || backfillNewest > PAGE) {
      throw new IllegalArgumentException(
          "Set feed.multiplexer.backfill-newest to 1 to 50, not " + backfillNewest);
    }
    if (notificationsLive.isNegative() || notificationsLive.isZero()) {
      throw new IllegalArgumentException(
          "Set feed.multiplexer.notifications-live to a positive time, not " + notificationsLive);
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
  }

  /** Returns when sweeps for erasures run, and how fast. */
  ErasureSweeps.Settings sweeping() {
    return new ErasureSweeps.Settings(erasureSweepEvery, Retention.ERASURE_REST, erasureSweepUnits);
  }
}
