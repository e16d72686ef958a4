package social.feed.api.edge.security;

import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import social.feed.api.edge.problem.MayAnswerProblems;

/** Routes that require a valid token. They run on virtual threads. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Secured(SecurityRule.IS_AUTHENTICATED)
@ExecuteOn(TaskExecutors.BLOCKING)
@SecurityRequirement(name = "bearer")
@MayAnswerProblems
@ApiResponse(responseCode = "401")
public @interface RequiresToken {}
