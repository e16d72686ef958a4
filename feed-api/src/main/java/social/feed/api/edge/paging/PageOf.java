package social.feed.api.edge.paging;

import io.swagger.v3.oas.annotations.Parameter;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import social.feed.table.access.AccessPattern;

/**
 * Names the access pattern of the list whose {@link PageParameters} a route takes. The OpenAPI
 * document describes the query variables from the pattern.
 */
@Parameter(hidden = true)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface PageOf {
  /** The pattern, which bounds the limit by its largest page. */
  AccessPattern value();
}
