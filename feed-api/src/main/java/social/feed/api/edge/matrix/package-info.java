/** The access patterns as the code declares them. */
@NullMarked
package social.feed.api.edge.matrix;

import org.jspecify.annotations.NullMarked;
