package social.feed.api.edge.problem;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a constraint about the content of a body. A violation is {@code invalid_content} (422). A
 * violation of any other constraint is {@code invalid_request} (400). Constraints must be public:
 * the framework cannot read others at run time.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface ContentRule {}
