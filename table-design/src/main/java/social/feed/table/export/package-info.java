/** What the table holds of somebody, for that somebody. */
@NullMarked
package social.feed.table.export;

import org.jspecify.annotations.NullMarked;
