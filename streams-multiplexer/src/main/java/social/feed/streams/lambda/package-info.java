@NullMarked
package social.feed.streams.lambda;

import org.jspecify.annotations.NullMarked;
