/** Leaderboards: authors by followers, tags by use. */
@NullMarked
package social.feed.api.ranking;

import org.jspecify.annotations.NullMarked;
