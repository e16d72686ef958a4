@NullMarked
package social.feed.table.store;

import org.jspecify.annotations.NullMarked;
