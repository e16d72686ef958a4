@NullMarked
package social.feed.api.idempotency;

import org.jspecify.annotations.NullMarked;
