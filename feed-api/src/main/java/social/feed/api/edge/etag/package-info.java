/** Revalidation of responses that a client already has. */
@NullMarked
package social.feed.api.edge.etag;

import org.jspecify.annotations.NullMarked;
