/** The access patterns, as the code has them. */
@NullMarked
package social.feed.api.matrix;

import org.jspecify.annotations.NullMarked;
