/** New feed entries and notifications as server-sent events. */
@NullMarked
package social.feed.api.live;

import org.jspecify.annotations.NullMarked;
