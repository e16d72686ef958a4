package social.feed.api.edge.security;

import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Routes for callers whose token has the scope of operators. For any other caller they are 404,
 * like a resource that the caller may not see.
 */
@RequiresToken
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ApiResponse(responseCode = "404")
public @interface OperatorsOnly {}
