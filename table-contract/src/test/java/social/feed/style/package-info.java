/** The style of the sources of all modules, as rules that each find their own fixture. */
@NullMarked
package social.feed.style;

import org.jspecify.annotations.NullMarked;
