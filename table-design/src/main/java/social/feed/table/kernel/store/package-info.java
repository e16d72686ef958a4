@NullMarked
package social.feed.table.kernel.store;

import org.jspecify.annotations.NullMarked;
