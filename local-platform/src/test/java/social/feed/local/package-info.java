@NullMarked
package social.feed.local;

import org.jspecify.annotations.NullMarked;
