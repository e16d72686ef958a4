package social.feed.api.edge.problem;

import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Documents the problems that every operation can answer. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ApiResponse(
    responseCode = "400",
    description = "The request is malformed: `invalid_request`, `invalid_json`, `invalid_cursor`",
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
@ApiResponse(
    responseCode = "406",
    description = "Nothing acceptable: `not_acceptable`",
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
@ApiResponse(
    responseCode = "413",
    description = "More than 64 KiB: `too_large`",
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
@ApiResponse(
    responseCode = "414",
    description = "The address is longer than 4 KiB: `address_too_long`",
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
@ApiResponse(
    responseCode = "429",
    description =
        "More than one caller may do: `rate_limited`, `too_many_follows`, `too_many_unfollows`,"
            + " `followed_too_recently`, `too_many_streams`, `too_many_exports`",
    headers =
        @Header(
            name = "Retry-After",
            description = "Seconds",
            required = true,
            schema = @Schema(type = "integer", minimum = "1")),
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
@ApiResponse(
    responseCode = "431",
    description = "The headers have more than 8 KiB: `headers_too_large`",
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
@ApiResponse(
    responseCode = "503",
    description = "Busy: `table_busy`, `identity_unavailable`, `export_busy`, `streams_exhausted`",
    headers =
        @Header(
            name = "Retry-After",
            description = "Seconds",
            required = true,
            schema = @Schema(type = "integer", minimum = "1")),
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
public @interface MayAnswerProblems {}
