@NullMarked
package social.feed.api.engagement;

import org.jspecify.annotations.NullMarked;
