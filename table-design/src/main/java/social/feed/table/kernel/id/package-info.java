@NullMarked
package social.feed.table.kernel.id;

import org.jspecify.annotations.NullMarked;
