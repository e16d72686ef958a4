@NullMarked
package social.feed.api.etag;

import org.jspecify.annotations.NullMarked;
