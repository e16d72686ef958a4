package social.feed.api.edge.problem;

import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Documents that what is well formed may still be refused. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ApiResponse(
    responseCode = "422",
    description =
        "A rule is broken: `invalid_content`, `self_follow`, `self_block`, `self_mute`, `blocked`,"
            + " `not_followed`, `follow_cap_reached`, `kept_cap_reached`, `special_cap_reached`, `block_cap_reached`, `mute_cap_reached`, `idempotency_key_reused`",
    content =
        @Content(mediaType = Problems.MEDIA_TYPE, schema = @Schema(implementation = Problem.class)))
public @interface MayBreakRules {}
