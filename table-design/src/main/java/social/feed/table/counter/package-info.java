@NullMarked
package social.feed.table.counter;

import org.jspecify.annotations.NullMarked;
