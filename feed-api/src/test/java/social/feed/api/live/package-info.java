@NullMarked
package social.feed.api.live;

import org.jspecify.annotations.NullMarked;
