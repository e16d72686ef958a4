package social.feed.api.edge.problem;

import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Documents that what the path names may be missing, or invisible to the caller. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ApiResponse(
    responseCode = "404",
    description = "Missing, or not for the caller: `not_found`",
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
public @interface MayBeMissing {}
