package social.feed.ctl;

import java.time.Duration;
import picocli.CommandLine.Option;
import social.feed.table.ranking.TrendingTags;

/** How the platform ranks tags, which nothing in the table tells. */
final class TrendOptions {
  @Option(
      names = "--trend-half-life-hours",
      defaultValue = "6",
      description =
          "in which a use of a tag loses half its worth, as the platform was deployed with (default:"
              + " ${DEFAULT-VALUE})")
  private long hours = TrendingTags.HALF_LIFE.toHours();

  /**
   * The half-life.
   *
   * @throws IllegalArgumentException unless it is 1 to 168 hours
   */
  Duration halfLife() {
    return TrendingTags.requireHours(Duration.ofHours(hours));
  }
}
