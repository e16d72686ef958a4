/**
 * All effects of a write other than the write itself: a change is decoded, the plan returns its
 * effects, a runner applies them.
 */
@NullMarked
package social.feed.streams;

import org.jspecify.annotations.NullMarked;
