/** Domain events for other systems: what they are, and which changes cause them. */
@NullMarked
package social.feed.streams.event;

import org.jspecify.annotations.NullMarked;
