@NullMarked
package social.feed.verify;

import org.jspecify.annotations.NullMarked;
