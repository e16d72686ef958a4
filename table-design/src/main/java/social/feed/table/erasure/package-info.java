/** The erasure of accounts: requests, progress, and the handling of each kind of row. */
@NullMarked
package social.feed.table.erasure;

import org.jspecify.annotations.NullMarked;
