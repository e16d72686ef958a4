@NullMarked
package social.feed.table.row;

import org.jspecify.annotations.NullMarked;
