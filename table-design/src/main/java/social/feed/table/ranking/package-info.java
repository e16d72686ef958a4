/** The leaderboards: authors by followers and tags by recent use. */
@NullMarked
package social.feed.table.ranking;

import org.jspecify.annotations.NullMarked;
