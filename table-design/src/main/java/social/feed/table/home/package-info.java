/** Home feeds: stored entries, pulled authors and reconstruction, merged newest first. */
@NullMarked
package social.feed.table.home;

import org.jspecify.annotations.NullMarked;
