/** Responses that are sent in pieces, no faster than their clients read. */
@NullMarked
package social.feed.api.edge.pipe;

import org.jspecify.annotations.NullMarked;
