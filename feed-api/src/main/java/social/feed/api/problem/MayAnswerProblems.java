package social.feed.api.problem;

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
    responseCode = "503",
    description = "Busy: `table_busy`, `identity_unavailable`; see `Retry-After`",
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
public @interface MayAnswerProblems {}
