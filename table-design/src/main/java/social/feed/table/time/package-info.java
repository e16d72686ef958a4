@NullMarked
package social.feed.table.time;

import org.jspecify.annotations.NullMarked;
