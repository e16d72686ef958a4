/** The log of the function. */
@NullMarked
package social.feed.function;

import org.jspecify.annotations.NullMarked;
