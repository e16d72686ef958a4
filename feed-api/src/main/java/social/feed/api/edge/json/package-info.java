/** The format of values on the wire. */
@NullMarked
package social.feed.api.edge.json;

import org.jspecify.annotations.NullMarked;
