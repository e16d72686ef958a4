/** Requests that create a resource once, also when they are sent again. */
@NullMarked
package social.feed.api.edge.idempotency;

import org.jspecify.annotations.NullMarked;
