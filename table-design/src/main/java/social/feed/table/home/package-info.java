@NullMarked
package social.feed.table.home;

import org.jspecify.annotations.NullMarked;
