@NullMarked
package social.feed.table.page;

import org.jspecify.annotations.NullMarked;
