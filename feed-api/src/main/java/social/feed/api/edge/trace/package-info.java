/** Traces of requests. */
@NullMarked
package social.feed.api.edge.trace;

import org.jspecify.annotations.NullMarked;
