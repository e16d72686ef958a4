@NullMarked
package social.feed.streams.change;

import org.jspecify.annotations.NullMarked;
