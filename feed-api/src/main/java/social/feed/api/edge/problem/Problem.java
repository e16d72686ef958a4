package social.feed.api.edge.problem;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of every error (RFC 9457).
 *
 * @param type {@code urn:feed:problem:} and the code
 * @param title the same for every occurrence of the code
 * @param status the status of the answer
 * @param code stable, one of {@link ProblemCode}
 * @param detail what went wrong this time
 * @param instance {@code urn:uuid:…}, also in the server's log for a 5xx
 * @param errors the wrong fields and variables; absent for other problems
 */
@Serdeable
public record Problem(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String type,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String title,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) int status,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String code,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String detail,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String instance,
    @Nullable List<FieldError> errors) {}
