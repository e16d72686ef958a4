@NullMarked
package social.feed.table.kernel.cost;

import org.jspecify.annotations.NullMarked;
