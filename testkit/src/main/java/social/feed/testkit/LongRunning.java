package social.feed.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks tests under load that take some twenty seconds of a processor or more. {@code mvn verify}
 * leaves them out; {@code mvn -Plong verify} and CI run them, and so does {@code mvn test
 * -Dtest=NAME}. {@code -Dit.test=NAME} needs {@code -Plong} as well.
 */
@Tag("long")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface LongRunning {}
