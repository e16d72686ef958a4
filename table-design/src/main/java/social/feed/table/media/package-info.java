/** Files of accounts: their rows, their quota, and the store of their bytes. */
@NullMarked
package social.feed.table.media;

import org.jspecify.annotations.NullMarked;
