@NullMarked
package social.feed.api.pipe;

import org.jspecify.annotations.NullMarked;
