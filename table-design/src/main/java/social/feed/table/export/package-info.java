/** The rows of one account, for a data export. */
@NullMarked
package social.feed.table.export;

import org.jspecify.annotations.NullMarked;
