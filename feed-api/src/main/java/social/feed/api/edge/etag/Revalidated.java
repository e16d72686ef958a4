package social.feed.api.edge.etag;

import io.micronaut.http.annotation.FilterMatcher;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A route whose responses have an {@code ETag}. A response that the client already has is not sent
 * again. This saves the body, not the reading of the table. The OpenAPI document adds the header to
 * each operation with a 304.
 */
@FilterMatcher
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Parameter(
    name = "If-None-Match",
    in = ParameterIn.HEADER,
    description = "`ETag` of responses that the client has",
    schema = @Schema(type = "string"))
@ApiResponse(
    responseCode = "200",
    description = "As the caller may see it now",
    useReturnTypeSchema = true)
@ApiResponse(responseCode = "304", description = "Unchanged since the `ETag` in `If-None-Match`")
public @interface Revalidated {}
