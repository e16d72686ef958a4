/** Log lines: their form, the ids of requests, a line for each request, and metrics in lines. */
@NullMarked
package social.feed.api.edge.log;

import org.jspecify.annotations.NullMarked;
