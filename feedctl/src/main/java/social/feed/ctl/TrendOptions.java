package social.feed.ctl;

import java.time.Duration;
import picocli.CommandLine.Option;
import social.feed.table.ranking.TrendingTags;

/** The half-life of the platform's tag rankings, which the table does not store. */
final class TrendOptions {
  @Option(
      names = "--trend-half-life-hours",
      defaultValue = "6",
      description =
          "the time in which a use of a tag loses half its weight, as the platform was deployed with"
              + " (default: ${DEFAULT-VALUE})")
  private long hours = TrendingTags.HALF_LIFE.toHours();

  /**
   * Returns the half-life.
   *
   * @throws IllegalArgumentException if it is not 1 to 168 hours
   */
  Duration halfLife() {
    return TrendingTags.requireHours(Duration.ofHours(hours));
  }
}
