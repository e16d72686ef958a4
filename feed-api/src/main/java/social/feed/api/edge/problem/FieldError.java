package social.feed.api.edge.problem;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/**
 * One thing that is wrong with a request.
 *
 * @param field the name on the wire of the body's field, variable or header
 * @param message what is wrong with it
 */
@Serdeable
public record FieldError(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String field,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String message) {}
