package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.search.Highlight;

/**
 * Words of a search in the text of a post.
 *
 * @param from the first UTF-16 unit, as JavaScript and Java count them
 * @param to the unit behind the last
 */
@Serdeable
@Schema(name = "Highlight")
record HighlightBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) int from,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) int to) {
  static HighlightBody of(Highlight highlight) {
    return new HighlightBody(highlight.from(), highlight.to());
  }
}
