/**
 * Every effect of a write that is not the write itself: a change is decoded, the plan says what it
 * causes, a runner applies it.
 */
@NullMarked
package social.feed.streams;

import org.jspecify.annotations.NullMarked;
