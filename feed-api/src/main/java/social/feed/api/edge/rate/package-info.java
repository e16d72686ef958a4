/** The request rate of each caller. */
@NullMarked
package social.feed.api.edge.rate;

import org.jspecify.annotations.NullMarked;
