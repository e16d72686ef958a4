@NullMarked
package social.feed.api.ranking;

import org.jspecify.annotations.NullMarked;
