/** What happened, for other systems: the types of events, their JSON and its schemas. */
@NullMarked
package social.feed.event;

import org.jspecify.annotations.NullMarked;
