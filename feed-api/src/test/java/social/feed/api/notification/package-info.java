@NullMarked
package social.feed.api.notification;

import org.jspecify.annotations.NullMarked;
