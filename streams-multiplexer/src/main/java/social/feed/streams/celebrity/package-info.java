/** Events for other systems about authors who become celebrities. */
@NullMarked
package social.feed.streams.celebrity;

import org.jspecify.annotations.NullMarked;
