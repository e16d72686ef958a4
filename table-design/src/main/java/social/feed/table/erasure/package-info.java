/** The end of accounts: who asked for it, how far it is, and what becomes of each kind of row. */
@NullMarked
package social.feed.table.erasure;

import org.jspecify.annotations.NullMarked;
