/** Requests that create something once, however often they are sent. */
@NullMarked
package social.feed.api.edge.idempotency;

import org.jspecify.annotations.NullMarked;
