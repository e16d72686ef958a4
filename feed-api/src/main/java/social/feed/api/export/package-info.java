/** The export of the caller's data. */
@NullMarked
package social.feed.api.export;

import org.jspecify.annotations.NullMarked;
