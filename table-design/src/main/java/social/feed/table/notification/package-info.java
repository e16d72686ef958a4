@NullMarked
package social.feed.table.notification;

import org.jspecify.annotations.NullMarked;
