@NullMarked
package social.feed.api.edge.idempotency;

import org.jspecify.annotations.NullMarked;
