/** Tests of the choice of a test engine. */
@NullMarked
package social.feed.testkit;

import org.jspecify.annotations.NullMarked;
