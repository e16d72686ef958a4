package social.feed.api.edge.problem;

import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Documents the problems that every operation can return. Annotations of this kind name a status
 * only; the OpenAPI document describes it from the {@link ProblemCode}s of that status.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ApiResponse(responseCode = "400")
@ApiResponse(responseCode = "406")
@ApiResponse(responseCode = "413")
@ApiResponse(responseCode = "414")
@ApiResponse(responseCode = "429")
@ApiResponse(responseCode = "431")
@ApiResponse(responseCode = "503")
public @interface MayAnswerProblems {}
