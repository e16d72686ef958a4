package social.feed.api.edge.paging;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param items up to the limit; fewer or none also where many are hidden
 * @param nextCursor the cursor of the next page; the list ends only where it is absent
 */
@Serdeable
public record PageBody<T>(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<T> items,
    @Nullable String nextCursor) {}
