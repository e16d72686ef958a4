package social.feed.api.paging;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param items as many as the limit, unless the list ends here
 * @param nextCursor for the following page; absent where nothing visible follows
 */
@Serdeable
public record PageBody<T>(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<T> items,
    @Nullable String nextCursor) {}
