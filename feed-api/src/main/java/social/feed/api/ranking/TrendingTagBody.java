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
 * @param posts number of public posts of the eight half-lives before the last use
 */
@Serdeable
@Schema(name = "TrendingTag")
record TrendingTagBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String tag,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) double score,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long posts) {
  static TrendingTagBody of(TrendingTag tag) {
    return new TrendingTagBody(tag.tag(), tag.score(), tag.posts());
  }
}
