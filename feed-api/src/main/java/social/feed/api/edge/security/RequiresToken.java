package social.feed.api.edge.security;

import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import social.feed.api.edge.problem.MayAnswerProblems;
import social.feed.api.edge.problem.Problem;

/** Routes for callers with a valid token, run on virtual threads. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Secured(SecurityRule.IS_AUTHENTICATED)
@ExecuteOn(TaskExecutors.BLOCKING)
@SecurityRequirement(name = "bearer")
@MayAnswerProblems
@ApiResponse(
    responseCode = "401",
    description = "No valid token: `unauthenticated`",
    headers =
        @Header(
            name = "WWW-Authenticate",
            required = true,
            schema = @Schema(type = "string", allowableValues = "Bearer")),
    content =
        @Content(
            mediaType = "application/problem+json",
            schema = @Schema(implementation = Problem.class)))
public @interface RequiresToken {}
