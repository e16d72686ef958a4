package social.feed.api.edge.paging;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param items at most as many as the limit; fewer, or none, also where many were hidden
 * @param nextCursor for the following page; the list ends only where it is absent
 */
@Serdeable
public record PageBody<T>(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<T> items,
    @Nullable String nextCursor) {}
