/** What people may write. */
@NullMarked
package social.feed.api.edge.text;

import org.jspecify.annotations.NullMarked;
