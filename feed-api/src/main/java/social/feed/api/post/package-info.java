/** Posts: writing, reading, and who may read which. */
@NullMarked
package social.feed.api.post;

import org.jspecify.annotations.NullMarked;
