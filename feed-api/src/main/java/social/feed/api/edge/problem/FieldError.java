package social.feed.api.edge.problem;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/**
 * One error in a request.
 *
 * @param field the name of the body's field, the variable or the header
 * @param message what is wrong with it
 */
@Serdeable
public record FieldError(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String field,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String message) {}
