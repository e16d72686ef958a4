/**
 * {@code ./feed plan}: units, dollars and limits of a platform of a given size, from the declared
 * costs.
 */
@NullMarked
package social.feed.ctl.plan;

import org.jspecify.annotations.NullMarked;
