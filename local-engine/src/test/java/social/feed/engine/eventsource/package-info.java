@NullMarked
package social.feed.engine.eventsource;

import org.jspecify.annotations.NullMarked;
