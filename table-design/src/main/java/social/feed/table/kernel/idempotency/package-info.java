@NullMarked
package social.feed.table.kernel.idempotency;

import org.jspecify.annotations.NullMarked;
