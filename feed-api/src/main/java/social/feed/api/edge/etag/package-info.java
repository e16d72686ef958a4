/** Answers that a client has already. */
@NullMarked
package social.feed.api.edge.etag;

import org.jspecify.annotations.NullMarked;
