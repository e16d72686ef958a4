package social.feed.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks tests that take long: random histories, crash points, load, servers of third parties,
 * packages of functions, a browser, and whole platforms or many processes. {@code mvn verify}
 * leaves them out. {@code mvn -Plong verify} and CI run them, {@code mvn -Ponly-long verify} runs
 * no others, and {@code mvn test -Dtest=NAME} runs one of them. {@code -Dit.test=NAME} needs {@code
 * -Plong} as well.
 */
@Tag("long")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface LongRunning {}
