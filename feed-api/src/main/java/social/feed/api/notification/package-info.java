/** Notifications of the caller. */
@NullMarked
package social.feed.api.notification;

import org.jspecify.annotations.NullMarked;
