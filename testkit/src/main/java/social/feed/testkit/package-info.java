/** Shared test support: the real engine, a fluent API for test data, and the paging law. */
@NullMarked
package social.feed.testkit;

import org.jspecify.annotations.NullMarked;
