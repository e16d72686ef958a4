@NullMarked
package social.feed.engine;

import org.jspecify.annotations.NullMarked;
