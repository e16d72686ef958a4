@NullMarked
package social.feed.table.kernel.time;

import org.jspecify.annotations.NullMarked;
