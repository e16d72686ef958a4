/** What goes wrong is shown to go wrong. */
@NullMarked
package social.feed.testkit.fault;

import org.jspecify.annotations.NullMarked;
