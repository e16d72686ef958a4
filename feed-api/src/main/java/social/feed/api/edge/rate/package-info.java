/** The request rate of each caller, and how fast posts are delivered and withdrawn. */
@NullMarked
package social.feed.api.edge.rate;

import org.jspecify.annotations.NullMarked;
