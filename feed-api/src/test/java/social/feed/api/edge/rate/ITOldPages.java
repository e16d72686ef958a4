package social.feed.api.edge.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.HttpMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import social.feed.api.http.StreamlessCloud;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.row.Row;
import social.feed.testkit.OnlyEmbedded;
import social.feed.testkit.OnlyEmbedded.Reason;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.simulation.Cloud;

/**
 * A caller who asks for a page older than the stored feed as often as the rate of requests admits,
 * on a virtual clock. The limit is that of the default settings.
 */
@OnlyEmbedded(Reason.OWN_ENGINE)
class ITOldPages {
  private static final int FOLLOWED = 100;
  private static final int UNITS_OF_A_REQUEST = 10;
  private static final RateConfiguration RATE =
      new RateConfiguration(100, 200, 10, UNITS_OF_A_REQUEST, 100, null);
  private static final Duration STORM = Duration.ofSeconds(3);

  /** What the rate admits in the time, a burst, and the page that leaves a debt. */
  private static final double MOST =
      UNITS_OF_A_REQUEST * (STORM.toSeconds() * RATE.perSecond() + RATE.burst()) + 2 * FOLLOWED;

  @Test
  void pages_areChargedByTheirUnits() {
    assertThat(units(page -> RATE.moreRequests(1, page))).isLessThanOrEqualTo(MOST);
  }

  /** The planted bug: a page counts as one request, whatever it reads. */
  @Test
  void pages_thatCountAsOneRequest_areFoundOut() {
    assertThat(units(_ -> 0)).isGreaterThan(2 * MOST);
  }

  /**
   * Returns the read units that the pages of one caller cost.
   *
   * @param more returns as how many requests a page counts beyond its own
   */
  private static double units(ToDoubleFunction<ConsumedUnits> more) {
    try (var cloud = StreamlessCloud.with(CloudTable.Limits.scaledDown(1))) {
      var view = load(cloud);
      var below = new PageRequest(10, Keys.at(view.storedSince()));
      var feeds = new HomeFeeds(cloud.table());
      cloud.load(1, Duration.ofSeconds(1), _ -> feeds.of(view, below));
      cloud.run(Duration.ofMinutes(1));
      double page = cloud.throughput().readUnits();
      assertThat(page).isGreaterThanOrEqualTo(FOLLOWED);
      double requests = more.applyAsDouble(new ConsumedUnits(page, 0));
      var clock = cloud.time().clock();
      var bucket = new TokenBucket[] {TokenBucket.full(RATE.refill(), clock.instant())};
      int[] read = {0};
      cloud.load(
          RATE.perSecond(),
          STORM,
          _ -> {
            bucket[0] =
                bucket[0].after(RATE.refill(), RATE.requests(HttpMethod.GET), clock.instant());
            if (bucket[0].isAdmitted()) {
              read[0] += feeds.of(view, below).items().size();
              bucket[0] = bucket[0].charged(RATE.refill(), requests);
            }
          });
      cloud.run(Duration.ofMinutes(1));
      double units = cloud.throughput().readUnits() - page;
      System.out.printf(
          "%d posts older than the feed: %.0f read units in %s%n", read[0], units, STORM);
      assertThat(read[0]).isPositive();
      return units;
    }
  }

  /** Writes accounts with a post each, which the reader follows and whose posts no feed has. */
  private static FeedView load(Cloud cloud) {
    Instant now = cloud.time().clock().instant();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < FOLLOWED; i++) {
      rows.add(SamplePosts.by("author" + i, now.minusSeconds(1 + i)).id("post" + i).build());
      rows.add(Follow.of("reader", "author" + i, now.minus(Duration.ofHours(1))));
    }
    cloud.unlimited().putAll(rows);
    return new FeedView("reader", List.of(), now);
  }
}
