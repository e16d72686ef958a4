/** What tests share: the real engine, a fluent seed world, the paging law. */
@NullMarked
package social.feed.testkit;

import org.jspecify.annotations.NullMarked;
