package social.feed.api.ranking;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.table.ranking.TrendingTag;

/**
 * A trending tag.
 *
 * @param tag normalized
 * @param score weighted number of recent public posts; the weight halves after each half-life; to
 *     three decimal places
 * @param posts number of public posts of the last eight half-lives
 */
@Serdeable
@Schema(name = "TrendingTag")
record TrendingTagBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String tag,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) double score,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long posts) {
  private static final double THOUSANDTH = 1_000.0;

  static TrendingTagBody of(TrendingTag tag) {
    return new TrendingTagBody(
        tag.tag(), Math.round(tag.score() * THOUSANDTH) / THOUSANDTH, tag.posts());
  }
}
