@NullMarked
package social.feed.api.edge.matrix;

import org.jspecify.annotations.NullMarked;
