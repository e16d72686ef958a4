/** Pages and their signed cursors. */
@NullMarked
package social.feed.api.paging;

import org.jspecify.annotations.NullMarked;
