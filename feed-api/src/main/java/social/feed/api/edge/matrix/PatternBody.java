package social.feed.api.edge.matrix;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Order;

/**
 * An access pattern.
 *
 * @param id such as {@code FEED-003}
 * @param title the question that the pattern answers
 * @param path the calls that answer it, with the partition
 * @param index the index that the calls read, absent for the table itself
 * @param order such as {@code newest_first}, absent for a single item
 * @param maxPage the maximum number of items of a page
 * @param goalMs the 99th percentile that DynamoDB is expected to reach in its own region
 */
@Serdeable
@Schema(name = "AccessPattern")
record PatternBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String title,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String path,
    @Nullable String index,
    @Nullable String order,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) int maxPage,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) int goalMs) {

  static PatternBody of(AccessPattern pattern) {
    return new PatternBody(
        pattern.id(),
        pattern.title(),
        pattern.path(),
        pattern.index().map(index -> index.indexName()).orElse(null),
        pattern.order() == Order.NONE ? null : pattern.order().name().toLowerCase(Locale.ROOT),
        pattern.maxPage(),
        pattern.goalMillis());
  }
}
