/** Follows, blocks and mutes. */
@NullMarked
package social.feed.api.graph;

import org.jspecify.annotations.NullMarked;
