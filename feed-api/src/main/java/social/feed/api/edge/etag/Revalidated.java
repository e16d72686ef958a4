package social.feed.api.edge.etag;

import io.micronaut.http.annotation.FilterMatcher;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A route whose answers have an {@code ETag}, so that one that a client has already is not sent
 * again. It saves the body, not the reading of the table.
 */
@FilterMatcher
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Parameter(
    name = "If-None-Match",
    in = ParameterIn.HEADER,
    description = "`ETag` of answers that the client has",
    schema = @Schema(type = "string"))
@ApiResponse(
    responseCode = "200",
    description = "As the caller may see it now",
    useReturnTypeSchema = true,
    headers =
        @Header(
            name = "ETag",
            description = "Changes with anything in the body, the caller's like and the counts",
            required = true,
            schema = @Schema(type = "string", pattern = "^W/\"[0-9a-f]{32}\"$")))
@ApiResponse(
    responseCode = "304",
    description = "The same as what `If-None-Match` names",
    headers =
        @Header(
            name = "ETag",
            required = true,
            schema = @Schema(type = "string", pattern = "^W/\"[0-9a-f]{32}\"$")))
public @interface Revalidated {}
