/** Browser apps of other origins. */
@NullMarked
package social.feed.api.edge.cors;

import org.jspecify.annotations.NullMarked;
