/** Requests that create something once, however often they are sent. */
@NullMarked
package social.feed.api.idempotency;

import org.jspecify.annotations.NullMarked;
