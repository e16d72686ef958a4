/** How values look on the wire. */
@NullMarked
package social.feed.api.json;

import org.jspecify.annotations.NullMarked;
