@NullMarked
package social.feed.table.kernel.page;

import org.jspecify.annotations.NullMarked;
