/**
 * What the actions of users cost: declared here, asserted by tests, and read by {@code ./feed
 * plan}.
 */
@NullMarked
package social.feed.table.cost;

import org.jspecify.annotations.NullMarked;
