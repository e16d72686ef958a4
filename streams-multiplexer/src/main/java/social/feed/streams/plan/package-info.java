@NullMarked
package social.feed.streams.plan;

import org.jspecify.annotations.NullMarked;
