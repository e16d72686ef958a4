@NullMarked
package social.feed.table.user;

import org.jspecify.annotations.NullMarked;
