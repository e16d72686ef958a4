@NullMarked
package social.feed.table.id;

import org.jspecify.annotations.NullMarked;
