@NullMarked
package social.feed.streams.effect;

import org.jspecify.annotations.NullMarked;
