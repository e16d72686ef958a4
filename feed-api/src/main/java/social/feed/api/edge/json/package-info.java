/** How values look on the wire. */
@NullMarked
package social.feed.api.edge.json;

import org.jspecify.annotations.NullMarked;
