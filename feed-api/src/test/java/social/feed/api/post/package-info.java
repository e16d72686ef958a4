@NullMarked
package social.feed.api.post;

import org.jspecify.annotations.NullMarked;
