/** Reads that callers share, and the optional cache that several processes of the API share. */
@NullMarked
package social.feed.api.edge.cache;

import org.jspecify.annotations.NullMarked;
