/** Files of the caller: announcing, uploading and checking images. */
@NullMarked
package social.feed.api.media;

import org.jspecify.annotations.NullMarked;
