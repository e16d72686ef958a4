@NullMarked
package social.feed.api.rate;

import org.jspecify.annotations.NullMarked;
