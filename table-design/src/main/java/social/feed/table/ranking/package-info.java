/** Authors by followers and tags by use: the leaderboards. */
@NullMarked
package social.feed.table.ranking;

import org.jspecify.annotations.NullMarked;
