/** Where tests run, and where they refuse to. */
@NullMarked
package social.feed.testkit;

import org.jspecify.annotations.NullMarked;
