@NullMarked
package social.feed.table;

import org.jspecify.annotations.NullMarked;
