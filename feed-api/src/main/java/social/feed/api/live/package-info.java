/** What happens to the caller, as it happens: server-sent events. */
@NullMarked
package social.feed.api.live;

import org.jspecify.annotations.NullMarked;
