@NullMarked
package social.feed.table.cost;

import org.jspecify.annotations.NullMarked;
