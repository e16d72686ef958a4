/** What people may write. */
@NullMarked
package social.feed.api.text;

import org.jspecify.annotations.NullMarked;
