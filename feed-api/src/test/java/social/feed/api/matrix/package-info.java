@NullMarked
package social.feed.api.matrix;

import org.jspecify.annotations.NullMarked;
