/** The access patterns, as the code has them. */
@NullMarked
package social.feed.api.edge.matrix;

import org.jspecify.annotations.NullMarked;
