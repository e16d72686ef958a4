@NullMarked
package social.feed.table.idempotency;

import org.jspecify.annotations.NullMarked;
