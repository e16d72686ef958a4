@NullMarked
package social.feed.streams.deadletter;

import org.jspecify.annotations.NullMarked;
