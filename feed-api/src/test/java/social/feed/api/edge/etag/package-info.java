@NullMarked
package social.feed.api.edge.etag;

import org.jspecify.annotations.NullMarked;
