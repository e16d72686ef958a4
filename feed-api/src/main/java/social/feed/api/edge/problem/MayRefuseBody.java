package social.feed.api.edge.problem;

import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Documents the problem of operations that may be sent a body, wanted or not. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ApiResponse(
    responseCode = "415",
    description =
        "There is a body, and it is not declared as JSON or is compressed: `unsupported_media_type`",
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
public @interface MayRefuseBody {}
