package social.feed.api.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks the tests of what only the API's own server does: it parses HTTP, streams and compresses
 * responses, and limits what a connection may do. All other tests also run through the function,
 * where the gateway has these tasks.
 */
@Tag("server-only")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ServerOnly {}
