/** Brings domain events to the publishers: through a queue, so that no lane waits for one. */
@NullMarked
package social.feed.streams.sink;

import org.jspecify.annotations.NullMarked;
