@NullMarked
package social.feed.table.access;

import org.jspecify.annotations.NullMarked;
