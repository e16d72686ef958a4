/** Pages of lists and their signed cursors. */
@NullMarked
package social.feed.api.edge.paging;

import org.jspecify.annotations.NullMarked;
