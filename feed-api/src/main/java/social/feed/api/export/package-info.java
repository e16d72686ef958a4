/** What the table holds of the caller, for the caller. */
@NullMarked
package social.feed.api.export;

import org.jspecify.annotations.NullMarked;
